"use strict";

// The size of this device's page, for a picture that fills it.
(() => {
  const form = document.querySelector("form[action^='/device/']");
  form.addEventListener("submit", () => {
    form.elements.width.value = Math.round(innerWidth);
    // The page's head takes a line of it.
    form.elements.height.value = Math.round(innerHeight - 44);
    form.elements.percent.value = Math.round((devicePixelRatio || 1) * 100);
  });
})();
