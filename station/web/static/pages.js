"use strict";

// Ask for confirmation of what cannot be undone.
document.addEventListener("submit", event => {
  const looks = event.submitter?.hasAttribute("formaction");
  const question = looks ? "" : event.target.dataset.confirm;
  if (question && !window.confirm(question)) event.preventDefault();
});

// Show in words whether the page is live; a lost connection must not look like a quiet hall.
const tellLive = isOn => document.querySelectorAll(".live").forEach(place => {
  place.classList.toggle("on", isOn);
  place.classList.toggle("off", !isOn);
  place.textContent = isOn ? place.dataset.on : place.dataset.off;
});
document.addEventListener("htmx:sseOpen", () => tellLive(true));
document.addEventListener("htmx:sseError", () => tellLive(false));
document.addEventListener("htmx:sseClose", () => tellLive(false));

// The floor: find a player or a table, and ring in the title while a table calls. The chosen filter stays when the hall is
// rendered again.
let toShow = "all";
const tidyFloor = () => {
  const floor = document.querySelector(".floor");
  if (!floor) return;
  const choice = document.querySelector(`.filters [name=show][value=${toShow}]`);
  if (choice) choice.checked = true;
  const wanted = (document.querySelector("[data-find]")?.value || "").trim().toLocaleLowerCase();
  floor.querySelectorAll(".slot").forEach(slot => {
    slot.hidden = wanted !== "" && !slot.textContent.toLocaleLowerCase().includes(wanted);
  });
  const nobody = document.querySelector("[data-nobody]");
  nobody.hidden = [...floor.querySelectorAll(".slot")].some(slot => slot.checkVisibility());
  const rings = floor.querySelectorAll(".rings:not(.answered)").length;
  document.title = (rings ? `(${rings}) ` : "") + document.title.replace(/^\(\d+\) /, "");
};
document.addEventListener("input", event => { if (event.target.matches("[data-find]")) tidyFloor(); });
document.addEventListener("change", event => {
  if (!event.target.matches(".filters [name=show]")) return;
  toShow = event.target.value;
  tidyFloor();
});
document.addEventListener("htmx:afterSettle", tidyFloor);
document.addEventListener("DOMContentLoaded", tidyFloor);

// Minutes left of a round with a time limit.
const tick = () => document.querySelectorAll("[data-ends]").forEach(place => {
  const left = Math.ceil((Date.parse(place.dataset.ends) - Date.now()) / 60000);
  place.textContent = left > 0 ? place.dataset.left.replace("{n}", left) : place.dataset.over;
});
document.addEventListener("DOMContentLoaded", tick);
document.addEventListener("htmx:afterSettle", tick);
setInterval(tick, 10000);

// The time since a terminal was last heard: it grows without the page being loaded again.
const grow = () => document.querySelectorAll("[data-age]").forEach(place => {
  place.dataset.at ??= Date.now() - 1000 * Number(place.dataset.age);
  const seconds = Math.max(0, (Date.now() - Number(place.dataset.at)) / 1000);
  const [unit, size] = seconds < 60 ? ["s", 1] : seconds < 3600 ? ["min", 60] : ["h", 3600];
  place.textContent = place.dataset[unit].replace("{n}", Math.floor(seconds / size));
});
document.addEventListener("DOMContentLoaded", grow);
setInterval(grow, 1000);

document.addEventListener("click", event => { if (event.target.closest("[data-print]")) window.print(); });

// Restore the fields of a form that was refused; passwords and files are not kept.
const isKept = field => field.name && !["password", "file", "hidden", "submit"].includes(field.type);
const isTick = field => ["checkbox", "radio"].includes(field.type);
const sameField = field => isTick(field) ? `${field.name}=${field.value}` : field.name;
document.addEventListener("submit", event => {
  if (event.defaultPrevented || event.target.method !== "post") return;
  const typed = [...event.target.elements].filter(isKept).map(field => [sameField(field), isTick(field) ? field.checked : field.value]);
  sessionStorage.setItem("typed", JSON.stringify({ action: event.target.getAttribute("action"), typed }));
});
document.addEventListener("DOMContentLoaded", () => {
  const { action, typed } = JSON.parse(sessionStorage.getItem("typed") || "{}");
  sessionStorage.removeItem("typed");
  const form = document.querySelector("[data-refused]") && [...document.forms].find(one => one.getAttribute("action") === action);
  if (!form) return;
  const values = new Map(typed);
  [...form.elements].filter(isKept).filter(field => values.has(sameField(field))).forEach(field => {
    const value = values.get(sameField(field)), before = isTick(field) ? field.checked : field.value;
    field[isTick(field) ? "checked" : "value"] = value;
    if (value !== before) field.closest("details")?.setAttribute("open", "");
  });
});

// The station's clock next to this browser's: the time that is sent to set the station's clock.
const compareClocks = () => document.querySelectorAll("[data-browser-clock]").forEach(form => {
  form.dataset.offset ??= Number(form.dataset.browserClock) - Date.now();
  const says = form.querySelector(".clock-says"), isSame = Math.abs(Number(form.dataset.offset)) < 60000;
  const time = new Date().toLocaleString(document.documentElement.lang);
  says.textContent = isSame ? says.dataset.same : says.dataset.other.replace("{time}", time);
  says.classList.toggle("wrong-word", !isSame);
  form.querySelector("button").classList.toggle("main", !isSame);
});
document.addEventListener("DOMContentLoaded", compareClocks);
setInterval(compareClocks, 1000);
document.addEventListener("submit", event => {
  const field = event.target.querySelector("[name=browser-ms]");
  if (field) field.value = Date.now();
});

// An answer that is saved as a file leaves the old page on the screen: reload it, as its content has changed.
document.addEventListener("submit", event => {
  const again = event.target.dataset.again;
  if (again) setTimeout(() => location.assign(again), 3000);
});
