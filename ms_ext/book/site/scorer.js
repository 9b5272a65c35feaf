// How much does a search result matter? Sphinx's numbers; what is called exactly so comes first.
var Scorer = {
  score: ([, title, , , score]) => {
    const asked = new URLSearchParams(window.location.search).get("q") || "";
    const name = title.split(" > ").pop().trim().toLowerCase();
    return name === asked.trim().toLowerCase() ? score + 30 : score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
