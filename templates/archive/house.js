(function () {
  "use strict";
  var form = document.getElementById("filters"), shown = document.getElementById("shown");
  var cards = Array.prototype.slice.call(document.querySelectorAll(".games > li"));
  var choices = Array.prototype.slice.call(form.querySelectorAll("select"));
  if (!choices.length) return;
  function fits(card) {
    return choices.every(function (choice) {
      return !choice.value || card.dataset[choice.name].split("\n").indexOf(choice.value) >= 0;
    });
  }
  function show() {
    var count = 0;
    cards.forEach(function (card) {
      card.hidden = !fits(card);
      count += card.hidden ? 0 : 1;
    });
    shown.textContent = count + " of " + cards.length + " games";
  }
  form.hidden = false;
  form.addEventListener("change", show);
  form.addEventListener("submit", function (event) { event.preventDefault(); });
  show();
}());
