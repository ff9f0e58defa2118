// What the pages do besides htmx: light and dark, keys, copying, filtering. Everything works without it.
"use strict";
(() => {
  const root = document.documentElement;
  const stored = (name, value) => {
    try { if (value === undefined) return localStorage.getItem(name); localStorage.setItem(name, value); }
    catch { return null; }
  };
  const theme = stored("shoal-theme");
  if (theme) root.dataset.theme = theme;
  const revision = () => document.getElementById("head")?.dataset.revision ?? "";
  const opened = () => new Set([...document.querySelectorAll("details[id]")].filter((d) => d.open && !("unasked" in d.dataset)).map((d) => d.id));
  let wereOpen = new Set();
  let typed = null; // where the focus was put last: two answers may draw a page anew before it is there again
  let half = new Map(); // what is typed but not sent yet, by the id of its field
  const isChanged = (field) => field.tagName === "SELECT"
    ? field.selectedIndex !== Math.max([...field.options].findIndex((one) => one.defaultSelected), 0)
    : field.type === "checkbox" ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
  const unsent = () => new Map([...document.querySelectorAll("#main :is(input, textarea, select)[id][name]:not([hx-post], [type=hidden])")]
    .filter(isChanged).map((field) => [field.id, field.type === "checkbox" ? field.checked : field.value]));

  document.addEventListener("htmx:configRequest", (event) => {
    event.detail.headers["X-Revision"] = revision();
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    const detail = event.detail, { elt, verb, triggeringEvent } = detail.requestConfig;
    const theirs = detail.xhr.getResponseHeader("X-Revision");
    if (theirs !== null && Number(theirs) < Number(revision())) detail.shouldSwap = false;
    wereOpen = opened();
    // figures that arrive by themselves leave alone what a person is writing
    half = ["counted", "load"].includes(triggeringEvent?.type) ? unsent() : new Map();
    if (!detail.shouldSwap || elt.isConnected) return;
    // The button that asked was drawn anew meanwhile: htmx would look for header and meter beside the old one,
    // find none, and leave a page that waits for figures for ever.
    detail.shouldSwap = false;
    const swapStyle = detail.xhr.getResponseHeader("HX-Reswap") ?? "innerHTML";
    if (verb === "post") htmx.swap("#main", detail.serverResponse, { swapStyle, swapDelay: 0, settleDelay: 20 }, { contextElement: document.body });
  });
  document.addEventListener("focusin", (event) => { typed = event.target.id; });
  document.addEventListener("pointerdown", () => { typed = null; }, true); // what is clicked takes the focus, or nothing has it
  const focused = () => {
    if (typed && document.activeElement === document.body) document.getElementById(typed)?.focus({ preventScroll: true });
  };
  document.addEventListener("htmx:afterSwap", () => {
    for (const [id, value] of half) {
      const field = document.getElementById(id);
      if (!field) continue;
      field[field.type === "checkbox" ? "checked" : "value"] = value;
      if (field.type === "range") field.dispatchEvent(new Event("input", { bubbles: true })); // the number beside it
    }
    focused();
  });
  // A click that waited in the queue while its button was drawn anew is done by the new button.
  let waiting = [];
  document.addEventListener("submit", (event) => {
    if (event.submitter?.dataset.again !== undefined) waiting.push([event.target, event.submitter.id]);
  }, true);
  document.addEventListener("htmx:beforeRequest", (event) => {
    const at = waiting.findIndex(([form]) => form === event.detail.elt);
    if (at >= 0) waiting.splice(at, 1);
  });
  const again = () => {
    const at = waiting.findIndex(([form]) => !form.isConnected);
    if (at >= 0) document.getElementById(waiting.splice(at, 1)[0][1])?.click();
  };
  // No answer: the studio has ended, or this page is no longer known to it.
  for (const kind of ["sendError", "responseError"]) document.addEventListener(`htmx:${kind}`, () => {
    const said = document.createElement("p");
    said.textContent = document.body.dataset.gone;
    document.getElementById("notice").replaceChildren(said);
  });
  const shown = () => {
    for (const id of wereOpen) { const d = document.getElementById(id); if (d) d.open = true; }
    for (const button of document.querySelectorAll("#theme, .copy, .dismiss")) button.hidden = false;
    const rail = document.getElementById("rail"), here = rail?.querySelector("[aria-current]");
    if (here) rail.scrollLeft = here.offsetLeft - (rail.clientWidth - here.clientWidth) / 2; // a narrow screen shows four of seven
    focused();
    again();
  };
  document.addEventListener("htmx:afterSettle", shown);
  document.addEventListener("DOMContentLoaded", shown);

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.id === "theme") {
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
      stored("shoal-theme", root.dataset.theme);
    } else if (button.classList.contains("copy")) {
      const text = document.getElementById(button.dataset.copy).textContent;
      navigator.clipboard?.writeText(text).then(() => { button.classList.add("did"); setTimeout(() => button.classList.remove("did"), 1500); });
    } else if (button.classList.contains("dismiss")) {
      button.parentElement.replaceChildren();
    }
  });

  // Columns: keys 1 to 7 set the role; with Shift that of all rows since the last one set.
  let last = null;
  document.addEventListener("keydown", (event) => {
    const command = event.ctrlKey || event.metaKey;
    if (command && event.key.toLowerCase() === "z" && !event.target.matches("input, textarea")) {
      event.preventDefault();
      document.getElementById(event.shiftKey ? "redo" : "undo")?.click();
      return;
    }
    const select = event.target.closest?.("select.role");
    const key = /^(?:Digit|Numpad)([1-7])$/.exec(event.code)?.[1];
    if (!select || !key || command || event.altKey) return;
    event.preventDefault();
    const all = [...document.querySelectorAll("select.role")];
    const to = all.indexOf(select), from = event.shiftKey && last !== null ? all.indexOf(last) : to;
    const chosen = all.slice(Math.min(from, to), Math.max(from, to) + 1).filter((one) => one.closest("tr").hidden === false);
    for (const one of chosen) {
      if (one.selectedIndex === Number(key) - 1) continue;
      one.selectedIndex = Number(key) - 1;
      one.dispatchEvent(new Event("change", { bubbles: true }));
    }
    last = select;
  });
  document.addEventListener("change", (event) => {
    if (event.target.matches("select.role")) event.target.className = `role ${event.target.value}`;
  });
  document.addEventListener("input", (event) => {
    if (event.target.id !== "find") return;
    const wanted = event.target.value.toLowerCase();
    for (const row of document.querySelectorAll("#columns tbody tr")) row.hidden = !row.dataset.name.toLowerCase().includes(wanted);
  });
})();
