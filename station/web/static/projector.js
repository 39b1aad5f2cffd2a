// A screen in the hall: it asks for its pages, turns them by itself, and keeps the last ones when the station is gone.
const place = document.getElementById("pages"), lost = document.getElementById("lost");
const asked = document.body.dataset.asked;
let key = "", at = 0, part = 0, turned = Date.now();

const all = () => [...place.querySelectorAll(".page")];
const columnsOf = page => page.querySelector(".columns");
// Columns that do not fit are to the right of the screen: each width of the screen is a page.
const widthOf = columns => columns.getBoundingClientRect().width + (parseFloat(getComputedStyle(columns).columnGap) || 0);
const partsOf = page => {
  const columns = columnsOf(page);
  return columns ? Math.max(1, Math.round(columns.scrollWidth / widthOf(columns) + 0.49)) : 1;
};
// Pages without columns can't be turned: their letters shrink until everything fits, down to the least size for names.
const fit = page => {
  page.style.fontSize = "";
  let size = parseFloat(getComputedStyle(page).fontSize);
  while (page.scrollHeight > page.clientHeight && size > innerHeight / 27) page.style.fontSize = `${size *= 0.95}px`;
};
const show = () => {
  const pages = all();
  if (pages.length === 0) return;
  at = Math.min(at, pages.length - 1);
  pages.forEach((page, number) => page.classList.toggle("now", number === at));
  const page = pages[at], columns = columnsOf(page), parts = partsOf(page);
  part = Math.min(part, parts - 1);
  if (!columns) fit(page);
  else columns.style.transform = `translateX(${-part * widthOf(columns)}px)`;
  let count = document.getElementById("count");
  if (!count) { count = document.createElement("p"); count.id = "count"; document.body.append(count); }
  count.textContent = parts > 1 ? `${part + 1} / ${parts}` : "";
};
const turn = () => {
  const pages = all();
  if (pages.length === 0) return;
  if (part + 1 < partsOf(pages[at])) part += 1;
  else { part = 0; at = (at + 1) % pages.length; }
  turned = Date.now();
  show();
};
const seconds = () => 1000 * Number(place.querySelector("#set")?.dataset.seconds || 12);
setInterval(() => { if (Date.now() - turned >= seconds()) turn(); }, 250);
addEventListener("resize", show);
addEventListener("keydown", event => { if (["ArrowRight", "PageDown", " "].includes(event.key)) turn(); });

const tick = () => {
  place.querySelectorAll("[data-ends]").forEach(one => {
    const left = Math.ceil((Date.parse(one.dataset.ends) - Date.now()) / 1000);
    one.textContent = left > 0 ? `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` : one.dataset.over;
    one.classList.toggle("over", left <= 0);
  });
  place.querySelectorAll("[data-since]").forEach(one => {
    const minutes = Math.max(0, Math.floor((Date.now() - Number(one.dataset.since)) / 60000));
    one.textContent = `${minutes}′`;
  });
  const now = new Date();
  place.querySelectorAll("[data-now]").forEach(one => {
    one.textContent = `${now.getHours()}:${String(now.getMinutes()).padStart(2, "0")}`;
  });
};
setInterval(tick, 250);

// Names with letters in none of the station's fonts: without a font here either, they get the player's number.
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const picture = letter => {
  canvas.clearRect(0, 0, 60, 60);
  canvas.font = "40px Barlow, Names, sans-serif";
  canvas.fillText(letter, 5, 45);
  return canvas.getImageData(0, 0, 60, 60).data.join();
};
const isDrawn = name => [...name].every(letter => letter < "\u0370" || picture(letter) !== picture("\u{10ffff}"));
const nameReadably = page => {
  const names = Object.entries(JSON.parse(page.dataset.names)).filter(([name]) => !isDrawn(name));
  const texts = document.createTreeWalker(page, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) names.forEach(([name, plain]) => { texts.currentNode.data = texts.currentNode.data.replace(name, plain); });
};

// Stay on the page that is shown, if it is still there.
const take = html => {
  const pages = all(), shown = pages[at];
  const name = shown && `${shown.lang} ${shown.dataset.page}`;
  place.innerHTML = html;
  place.querySelectorAll("[data-names]").forEach(nameReadably);
  const set = place.querySelector("#set");
  key = set.dataset.key;
  document.body.className = set.dataset.look;
  document.documentElement.style.setProperty("--line", `calc(100vh / ${set.dataset.lines})`);
  const same = all().findIndex(page => `${page.lang} ${page.dataset.page}` === name);
  if (same < 0) { at = 0; part = 0; turned = Date.now(); } else at = same;
  tick();
  show();
  document.fonts.ready.then(show);
};
// A computer whose screen goes dark shows no seats. Browsers offer the lock to pages that came by HTTPS.
const stayAwake = () => document.hidden || navigator.wakeLock?.request("screen").catch(() => {});
document.addEventListener("visibilitychange", stayAwake);
stayAwake();

const tell = text => { lost.textContent = text; lost.hidden = text === ""; };
const ask = async () => {
  try {
    const headers = { "HX-Request": "true" }, signal = AbortSignal.timeout(8000);
    const answer = await fetch(`${asked}seen=${key}`, { headers, signal, cache: "no-store" });
    if (answer.status === 200) { take(await answer.text()); tell(""); }
    else if (answer.status === 204) tell("");
    else tell(answer.status === 404 ? document.body.dataset.gone : document.body.dataset.lost);
  } catch {
    tell(document.body.dataset.lost);
  }
  // A reveal follows the judge at once.
  setTimeout(ask, Number(place.querySelector("#set")?.dataset.ask || 2500));
};
ask();
