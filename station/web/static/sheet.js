"use strict";

// A record sheet from paper: a key chooses and goes on, and the last roles of a game are chosen by themselves.
(() => {
  const form = document.querySelector(".sheet-form");
  const rows = form.querySelector("[data-roles]");

  // Roles of the last players follow from the cards that are left; they change with what is chosen before.
  const chooseLastRoles = () => {
    const sets = [...rows.querySelectorAll("fieldset")];
    sets.flatMap(set => [...set.querySelectorAll("input")]).filter(input => input.dataset.follows).forEach(input => {
      input.checked = false;
      delete input.dataset.follows;
    });
    const left = rows.dataset.roles.split(" ");
    const empty = sets.filter(set => {
      const chosen = set.querySelector(":checked");
      const card = chosen ? left.indexOf(chosen.value) : -1;
      if (card >= 0) left.splice(card, 1);
      return !chosen;
    });
    if (left.length !== empty.length || new Set(left).size !== 1) return;
    empty.forEach(set => {
      const input = set.querySelector(`[value=${left[0]}]`);
      input.checked = true;
      input.dataset.follows = "yes";
    });
  };
  rows?.addEventListener("input", event => {
    delete event.target.dataset.follows;
    chooseLastRoles();
  });

  // Nobody is out twice, and once the game is over only players out by the same card may follow.
  const eliminations = form.querySelector("[data-ending-roles]");
  const followGame = () => {
    const roles = new Map([...form.querySelectorAll("[name^=role-]:is([type=hidden], :checked)")].map(one => [one.name.slice(5), one.value]));
    const enemies = [...roles].filter(([, role]) => eliminations.dataset.endingRoles.split(" ").includes(role)).map(([seat]) => seat);
    const isKnown = roles.size === rows.querySelectorAll(".pick-row").length;
    const out = new Set();
    [...eliminations.children].forEach(row => {
      const players = [...row.querySelectorAll("[name^=out-]")];
      players.forEach(one => { one.parentElement.hidden = out.has(one.value) && !one.checked; });
      const seat = players.find(one => one.checked)?.value;
      row.classList.toggle("over", !seat && (out.has("1") || (isKnown && enemies.every(one => out.has(one)))));
      if (seat) out.add(seat);
    });
  };
  if (eliminations) {
    followGame();
    form.addEventListener("input", event => {
      followGame();
      const row = event.target.closest(".over");
      if (row && event.target.checked) row.querySelector("input").focus();
    });
  }

  // A draft of the sheet stays in the browser: a station that is away, or a closed tab, loses nothing.
  const draft = `draft ${form.getAttribute("action")}`;
  // It is restored for the same players only: the draw may have been made again.
  const fields = [...form.elements].filter(field => field.name === "seated" || (isKept(field) && !["hidden", "submit"].includes(field.type)));
  const values = () => JSON.stringify(fields.map(field => [sameField(field), isTick(field) ? field.checked : field.value]));
  const proposed = values();
  form.addEventListener("input", () => localStorage.setItem(draft, JSON.stringify([proposed, values()])));
  const [before, typed] = JSON.parse(localStorage.getItem(draft) || "[]");
  if (!isPosted && before === proposed) {
    const known = new Map(JSON.parse(typed));
    fields.forEach(field => { field[isTick(field) ? "checked" : "value"] = known.get(sameField(field)); });
    const words = document.createElement("p");
    words.className = "hint";
    words.textContent = form.dataset.kept;
    form.prepend(words);
    addEventListener("load", () => form.dispatchEvent(new Event("input")));
  }

  // The ending and the winnings are shown beside the form once they can be computed. What was shown before a
  // change must not be confirmed after it.
  const check = document.querySelector("#check");
  const button = form.querySelector(".row > .main");
  let changes = 0, sent = 0, appeared = 0;
  form.addEventListener("input", () => {
    changes += 1;
    check.replaceChildren();
  });
  check.addEventListener("htmx:beforeRequest", () => { sent = changes; });
  // A key leads to the summary a moment after it has appeared, so that nobody confirms what they haven't seen.
  const goToSummary = () => {
    const before = document.activeElement;
    setTimeout(() => {
      if ([before, document.body].includes(document.activeElement)) check.querySelector("[data-first]")?.focus();
    }, appeared + 300 - performance.now());
  };
  check.addEventListener("keydown", event => { if (event.key === "Enter" && event.repeat) event.preventDefault(); });
  // The summary takes the focus of the form's button, whose place it takes, but of no other field.
  let isAtEnd = false;
  check.addEventListener("htmx:beforeSwap", () => { isAtEnd = document.activeElement === button; });
  check.addEventListener("htmx:afterSwap", () => {
    appeared = performance.now();
    if (isAtEnd) goToSummary();
  });
  check.addEventListener("htmx:beforeSwap", event => { event.detail.shouldSwap &&= sent === changes; });

  // The next question without an answer, or else the button. The rows of eliminations need not all be filled.
  const questions = () => [...form.querySelectorAll("fieldset.picks, td select, td input, [name^=score-]")].filter(one => one.checkVisibility());
  const isAnswered = one => one.matches("fieldset") ? one.querySelector(":checked:not([value=''])") : one.value;
  const goOn = (last, leavesRows) => {
    const open = questions().filter(one => !isAnswered(one) && one !== last);
    const isRow = one => one.closest(".elimination");
    const next = open.find(one => (!last || last.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING)
      && !(leavesRows && isRow(one))) || open.find(one => !isRow(one));
    const first = next?.matches("fieldset") ? next.querySelector("input") : next;
    if (first) first.focus();
    else if (check.hasChildNodes()) goToSummary();
    else button.focus();
  };
  form.addEventListener("keydown", event => {
    if (event.key !== "Enter" || event.isComposing || event.target.matches("button, summary, textarea, a")) return;
    event.preventDefault();
    const set = event.target.closest("fieldset.picks");
    goOn(set || event.target, set?.closest(".elimination") && !isAnswered(set));
  });
  // A link to what is wrong leads into its field.
  document.querySelector("main").addEventListener("click", event => {
    const name = event.target.closest('a[href^="#"]')?.hash.replace(/^#(fault-)?/, "");
    const field = name && form.querySelector(`[name="${name}"]`);
    if (!field) return;
    event.preventDefault();
    field.focus();
  });
  // The browser's Back shows what the station knows now: the sheet may be confirmed.
  addEventListener("pageshow", event => { if (event.persisted) location.reload(); });
  const wrong = form.querySelector(".wrong :is(input, select):not([type=hidden])");
  if (wrong) wrong.focus();
  else if (!isPosted && !form.elements.corrects) goOn();
  form.addEventListener("keydown", event => {
    const set = event.target.closest("fieldset.picks");
    if (!set || event.ctrlKey || event.altKey || event.metaKey || event.key.length !== 1 || event.key === " ") return;
    const key = event.key === "0" ? "10" : event.key.toLocaleLowerCase();
    const matches = [...set.querySelectorAll(":not([hidden]) > input")].filter(input => /^\d+$/.test(key)
      ? input.value === key
      : input.value && !/^\d+$/.test(input.value) && input.nextElementSibling.textContent.toLocaleLowerCase().startsWith(key));
    if (!matches.length) return;
    event.preventDefault();
    const found = matches[(matches.findIndex(input => input.checked) + 1) % matches.length];
    found.checked = true;
    found.dispatchEvent(new Event("input", { bubbles: true }));
    if (matches.length === 1) goOn(set);
    else found.focus();
  });

  // A character is followed by its price, once the letters typed name only one.
  let letters = "", isByKey = false;
  const goToPrice = select => {
    const price = select.closest("tr").querySelector("input");
    if (!price) return goOn(select);
    price.focus();
    price.select();
  };
  form.addEventListener("focusin", () => { letters = ""; });
  form.addEventListener("pointerdown", () => { isByKey = false; });
  form.addEventListener("change", event => { if (event.target.matches("td select") && !isByKey) goToPrice(event.target); });
  form.addEventListener("keydown", event => {
    isByKey = true;
    if (event.ctrlKey || event.altKey || event.metaKey || !/^\p{L}$/u.test(event.key)) return;
    // Further letters of the character's name aren't part of the price.
    if (event.target.matches(".amount")) event.preventDefault();
    if (!event.target.matches("td select")) return;
    const key = event.key.toLocaleLowerCase();
    const named = start => [...event.target.options].filter(one => one.value && one.text.toLocaleLowerCase().startsWith(start));
    letters = named(letters + key).length ? letters + key : key;
    const matches = named(letters);
    if (matches.length !== 1) return;
    event.preventDefault();
    event.target.value = matches[0].value;
    event.target.dispatchEvent(new Event("input", { bubbles: true }));
    goToPrice(event.target);
  });
})();
