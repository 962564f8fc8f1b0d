"use strict";
// Search, copying of code, and the list of pages on a narrow window. Without scripts all pages read the same.
const root = document.currentScript.dataset.root;
const form = document.querySelector(".search");
const box = document.getElementById("search");
const results = document.getElementById("results");
const most = 12; // results shown

// words of a query, as search.go splits them
const split = text => (text.toLowerCase().match(/[\p{L}\p{N}_-]+/gu) || []).map(w => w.replace(/^[-_]+|[-_]+$/g, "")).filter(w => w);

// words that say nothing of what is sought, unless there are no others
const empty = new Set("a an and are at by can do does for from how i in is it me my of on or the there to what when where which with".split(" "));
const sought = words => words.some(w => !empty.has(w)) ? words.filter(w => !empty.has(w)) : words;

let loading; // of the index, which is taken when it is first needed
const load = () => loading ||= new Promise((done, failed) => {
  const script = document.createElement("script");
  script.src = root + "search-index.js";
  script.onload = () => done(window.searchIndex);
  script.onerror = failed;
  document.head.append(script);
});

// find ranks passages that have every word of the query; each may be the begin of one. A word that few passages
// have says more of what is sought than one that many have.
function find(index, query) {
  let total = null;
  for (const word of query) {
    const found = new Map();
    for (const known of Object.keys(index.words)) {
      if (!known.startsWith(word)) continue;
      const share = known === word || known === word + "s" ? 2 : 1 / (known.length - word.length + 1);
      const list = index.words[known];
      for (let i = 0; i < list.length; i += 2) found.set(list[i], Math.max(found.get(list[i]) || 0, list[i + 1] * share));
    }
    const rarity = Math.log(1 + index.passages.length / found.size);
    for (const [at, score] of found) found.set(at, score * rarity);
    if (total === null) total = found;
    else total = new Map([...total].filter(([at]) => found.has(at)).map(([at, score]) => [at, score + found.get(at)]));
  }
  return [...(total || [])].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, most).map(([at]) => index.passages[at]);
}

// excerpt is the text around the first word of the query, with the words marked
function excerpt(text, query) {
  const pattern = new RegExp(`(${query.join("|")})`, "giu"); // words have no character that patterns know
  const at = Math.max(0, text.search(pattern) - 50);
  const from = at === 0 ? 0 : text.indexOf(" ", at) + 1;
  const small = document.createElement("small");
  if (from > 0) small.append("… ");
  text.slice(from, from + 170).split(pattern).forEach((part, i) => {
    if (i % 2 === 0) return small.append(part);
    const mark = document.createElement("mark");
    mark.textContent = part;
    small.append(mark);
  });
  if (from + 170 < text.length) small.append(" …");
  return small;
}

let asked = 0; // queries, so that a late index does not show an early query
async function show() {
  const typed = split(box.value), query = sought(typed), number = ++asked;
  if (query.length === 0) {
    results.hidden = true;
    return;
  }
  const index = await load();
  if (number !== asked) return;
  const list = find(index, query).map(passage => {
    const link = document.createElement("a");
    link.href = root + passage.link;
    const title = document.createElement("strong");
    title.textContent = passage.heading ? `${passage.title} › ${passage.heading}` : passage.title;
    link.append(title, excerpt(passage.text, query));
    return link;
  });
  if (list.length === 0) {
    const none = document.createElement("p");
    none.textContent = "Nothing found";
    list.push(none);
  }
  results.replaceChildren(...list);
  results.dataset.query = typed.join(" ");
  results.hidden = false;
  results.scrollTop = 0;
}

function move(event, by) {
  const links = [...results.querySelectorAll("a")];
  const at = links.indexOf(document.activeElement) + by;
  event.preventDefault();
  (at < 0 ? box : links[Math.min(at, links.length - 1)] || box).focus();
}

form.hidden = false;
box.addEventListener("input", show);
box.addEventListener("focus", () => { load(); if (box.value) show(); });
form.addEventListener("submit", async event => {
  event.preventDefault();
  await show();
  results.querySelector("a")?.click();
});
form.addEventListener("keydown", event => {
  if (event.key === "ArrowDown") move(event, 1);
  if (event.key === "ArrowUp") move(event, -1);
  if (event.key === "Escape") {
    box.value = "";
    results.hidden = true;
    box.blur();
  }
});
results.addEventListener("click", () => { results.hidden = true; });
document.addEventListener("keydown", event => {
  if (event.key !== "/" || event.ctrlKey || event.altKey || event.metaKey || document.activeElement === box) return;
  event.preventDefault();
  box.focus();
});
document.addEventListener("click", event => { if (!form.contains(event.target)) results.hidden = true; });

// Where lists of pages and headings stand above the text, they begin closed; a heading that was chosen closes its list.
const narrow = matchMedia("(max-width: 48rem)"), headings = matchMedia("(max-width: 75rem)");
const listed = document.querySelector(".contents details");
if (narrow.matches) document.querySelector(".pages details").open = false;
if (listed) {
  const fold = () => { listed.open = !headings.matches; };
  fold();
  headings.addEventListener("change", fold);
  listed.addEventListener("click", event => { if (event.target.closest("a")) fold(); });
  // The heading that is read is marked in the list: the last one at or above the upper edge.
  const links = [...listed.querySelectorAll("a")];
  const targets = links.map(link => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  let waiting = false;
  const follow = () => {
    waiting = false;
    const above = targets.filter(target => target && target.getBoundingClientRect().top < 90).length;
    const end = innerHeight + scrollY >= document.documentElement.scrollHeight - 2 && scrollY > 0;
    const at = end ? links.length - 1 : above - 1;
    links.forEach((link, i) => {
      if (i !== at) return link.removeAttribute("aria-current");
      if (link.hasAttribute("aria-current")) return;
      link.setAttribute("aria-current", "location");
      if (!headings.matches) link.scrollIntoView({ block: "nearest" });
    });
  };
  addEventListener("scroll", () => { if (!waiting) { waiting = true; requestAnimationFrame(follow); } }, { passive: true });
  follow();
}
document.querySelector(".pages [aria-current]")?.scrollIntoView({ block: "nearest" });
if (!location.hash) scrollTo(0, 0);

if (navigator.clipboard) {
  for (const pre of document.querySelectorAll(".code pre")) {
    const button = document.createElement("button");
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      let text = pre.textContent;
      if (pre.dataset.language === "console") { // the commands, without what they print
        text = text.split("\n").filter(line => line.startsWith("$ ")).map(line => line.slice(2)).join("\n");
      }
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    pre.parentElement.append(button);
  }
}
