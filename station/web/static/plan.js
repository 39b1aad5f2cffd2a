"use strict";

// The hall plan: places on a grid, by drag, by arrow keys; each move is saved at once.
(() => {
  const place = (table, column, row) => {
    table.style.gridColumn = column;
    table.style.gridRow = row;
    Object.assign(table.dataset, {column, row});
  };
  const lay = () => document.querySelectorAll("[data-plan]").forEach(plan => {
    plan.style.gridTemplateColumns = `repeat(${plan.dataset.columns}, minmax(0, 1fr))`;
    plan.style.gridTemplateRows = `repeat(${plan.dataset.rows}, minmax(1.6rem, auto))`;
    plan.querySelectorAll("[data-column]").forEach(table => place(table, table.dataset.column, table.dataset.row));
  });
  lay();
  document.addEventListener("htmx:afterSwap", lay);

  const plan = document.querySelector("[data-plan].editable");
  if (!plan) return;
  const columns = Number(plan.dataset.columns), rows = Number(plan.dataset.rows);
  const form = document.querySelector("[data-plan-form]"), said = document.querySelector("[data-plan-said]");

  const move = async (table, column, row) => {
    const from = {...table.dataset};
    if (Number(from.column) === column && Number(from.row) === row) return;
    const other = [...plan.children].find(one => Number(one.dataset.column) === column && Number(one.dataset.row) === row);
    place(table, column, row);
    if (other) place(other, from.column, from.row);
    said.textContent = said.dataset.words.replace("{n}", from.table).replace("{column}", column).replace("{row}", row);
    form.elements.table.value = from.table;
    form.elements.column.value = column;
    form.elements.row.value = row;
    const answer = await fetch(form.action, {method: "POST", body: new FormData(form), redirect: "manual"}).catch(() => null);
    if (answer?.status !== 204) {
      place(table, from.column, from.row);
      if (other) place(other, column, row);
      alert(plan.dataset.refused);
    }
  };

  let held = null;
  plan.addEventListener("pointerdown", event => {
    const table = event.target.closest("[data-table]");
    if (!table || event.button) return;
    held = {table, x: event.clientX, y: event.clientY};
    table.setPointerCapture(event.pointerId);
    table.classList.add("held");
  });
  plan.addEventListener("pointermove", event => {
    if (held) held.table.style.transform = `translate(${event.clientX - held.x}px, ${event.clientY - held.y}px)`;
  });
  const drop = event => {
    if (!held) return;
    const {table} = held, box = plan.getBoundingClientRect();
    held = null;
    table.classList.remove("held");
    table.style.transform = "";
    if (event.type === "pointercancel") return;
    const at = (value, size, count) => Math.min(count, Math.max(1, Math.ceil(value / size * count)));
    move(table, at(event.clientX - box.left, box.width, columns), at(event.clientY - box.top, box.height, rows));
  };
  plan.addEventListener("pointerup", drop);
  plan.addEventListener("pointercancel", drop);

  const STEPS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
  plan.addEventListener("keydown", event => {
    const table = event.target.closest("[data-table]"), step = STEPS[event.key];
    if (!table || !step) return;
    event.preventDefault();
    const column = Number(table.dataset.column) + step[0], row = Number(table.dataset.row) + step[1];
    if (column >= 1 && column <= columns && row >= 1 && row <= rows) move(table, column, row);
  });
})();
