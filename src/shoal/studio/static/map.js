// Points of the map: Enter, Space or a click press the button of the table that stands for the point. Sliders.
"use strict";
(() => {
  const press = (point) => {
    if (point.getAttribute("aria-disabled") !== "true") document.getElementById(point.dataset.press)?.click();
  };
  const say = (point) => {
    const line = document.getElementById("said-of-point");
    if (line) line.textContent = point?.getAttribute("aria-label") ?? "";
  };
  const at = (event) => event.target.closest?.("[data-press]");
  document.addEventListener("click", (event) => { const point = at(event); if (point) press(point); });
  document.addEventListener("keydown", (event) => {
    const point = at(event);
    if (!point || !["Enter", " ", "ArrowRight", "ArrowLeft"].includes(event.key)) return;
    event.preventDefault();
    if (event.key === "Enter" || event.key === " ") return press(point);
    const all = [...document.querySelectorAll("[data-press]")].sort((a, b) => a.getBoundingClientRect().x - b.getBoundingClientRect().x);
    all[all.indexOf(point) + (event.key === "ArrowRight" ? 1 : -1)]?.focus();
  });
  // a slider says its value in the field beside it, and moves the line of a histogram
  document.addEventListener("input", (event) => {
    const slider = event.target.closest?.("input[type=range][data-into]");
    const into = slider && document.getElementById(slider.dataset.into);
    if (!into) return;
    if (into.tagName === "OUTPUT") into.textContent = slider.value; else into.value = slider.value;
    const line = slider.closest(".cut")?.querySelector(".cut-line");
    const share = (slider.value - slider.min) / (slider.max - slider.min || 1);
    if (line) for (const end of ["x1", "x2"]) line.setAttribute(end, 600 * share);
  });
  for (const kind of ["focusin", "mouseover"]) document.addEventListener(kind, (event) => { const point = at(event); if (point) say(point); });
})();
