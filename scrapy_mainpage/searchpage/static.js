// Answers of the search page from Pagefind's files, in place of /search.json.
"use strict";

const pagefind = import("./pagefind/pagefind.js");
const ENTITIES = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&#x27;": "'", "&amp;": "&" };

function plain(text) {
  return text.replace(/&(?:lt|gt|quot|#39|#x27|amp);/g, (entity) => ENTITIES[entity]);
}

window.answer = async (query, limit, chosen) => {
  const { search, filters: known } = await pagefind;
  const filters = {};
  for (const filter of chosen) {
    const [name, ...value] = filter.split(":");
    (filters[name] ??= { any: [] }).any.push(value.join(":"));
  }
  await known();
  const found = await search(query, { filters });
  const pages = await Promise.all(found.results.slice(0, limit).map((each) => each.data()));
  const hits = pages.map((page) => ({
    url: page.url,
    page: page.url,
    title: page.meta.title ?? "",
    snippet: page.excerpt.split(/<\/?mark>/).map(plain),
    sections: page.sub_results.slice(0, 3).map(
      (part) => ({ url: part.url, path: [part.title] })),
  }));
  const facets = {};
  for (const [name, counts] of Object.entries(found.filters)) {
    const some = Object.entries(counts).filter(([, count]) => count);
    if (some.length > 1 || filters[name]) facets[name] = Object.fromEntries(some);
  }
  return { query, hits, facets, has_more: found.results.length > limit };
};
