// Cards: moved with the mouse by their grip, with Alt and an arrow from anywhere in them, or with their buttons.
"use strict";
(() => {
  let dragged = null; // the number of the card
  const cards = () => [...document.querySelectorAll(".card")];
  const number = (card) => card.id.slice(5);
  const below = (card, event) => event.clientY > card.getBoundingClientRect().y + card.offsetHeight / 2;
  const mark = (card, name) => {
    for (const one of cards()) one.classList.remove("drop-above", "drop-below");
    card?.classList.add(name);
  };
  document.addEventListener("dragstart", (event) => {
    const card = event.target.closest?.(".grip")?.closest(".card");
    if (!card) return;
    dragged = number(card);
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", ""); // without anything no drag begins in some browsers
    event.dataTransfer.setDragImage(card, 24, 24);
  });
  document.addEventListener("dragover", (event) => {
    const card = dragged && event.target.closest?.(".card");
    if (!card) return;
    event.preventDefault();
    mark(card, below(card, event) ? "drop-below" : "drop-above");
  });
  document.addEventListener("drop", (event) => {
    const card = dragged && event.target.closest?.(".card");
    if (!card) return;
    event.preventDefault();
    const others = cards().map(number).filter((one) => one !== dragged);
    const form = document.getElementById("place");
    if (number(card) === dragged || !form) return;
    form.elements.id.value = dragged;
    form.elements.to.value = others.indexOf(number(card)) + (below(card, event) ? 1 : 0);
    form.requestSubmit();
  });
  document.addEventListener("dragend", () => { dragged = null; mark(null); });
  document.addEventListener("keydown", (event) => {
    const card = event.altKey && !event.target.matches("select") ? event.target.closest?.(".card") : null;
    if (!card || !["ArrowUp", "ArrowDown"].includes(event.key)) return;
    event.preventDefault();
    const way = document.getElementById(`move${event.key === "ArrowUp" ? "up" : "down"}-${number(card)}`);
    way?.focus(); // the button keeps the focus when the card has moved
    way?.click();
  });
})();
