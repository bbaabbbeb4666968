// Teaching a crawl: buttons to like or dislike a page, what was said so far, and when the crawl takes it.
import { brief, element, get, guarded, mayChange, post, say, texts } from "./page.js";

const VERDICTS = [["like", true], ["unlike", false]];

/** What persons said of the pages of a run. After each change `changed` is called. */
export class Teaching {
  constructor(run, changed) {
    [this.address, this.changed, this.found] = [`/api/crawls/${encodeURIComponent(run)}/taught`, changed, null];
  }

  async load() {
    this.found = await get(this.address);
  }

  /** Return what was said of a page, which may have been redirected: the same for both of its addresses. */
  about(...urls) {
    return this.found.taught.find((one) => urls.includes(one.url));
  }

  /** Return the buttons of a page; the pressed one takes the verdict back. */
  buttons(url, finalUrl, name = url) {
    const lesson = this.about(url, finalUrl);
    const made = VERDICTS.map(([verb, liked]) => {
      const pressed = lesson?.liked === liked;
      const change = guarded(() => this.teach(pressed ? "forget" : verb, pressed ? lesson.url : url));
      return element("button", { type: "button", class: "verdict", "data-key": `${verb} ${url}`, "aria-pressed": String(pressed),
        "aria-label": `${texts[`teach_${verb}`]}: ${brief(name)}`, disabled: !mayChange, onclick: change }, texts[`teach_${verb}`]);
    });
    return [...made, element("span", { class: "quiet" }, lesson ? taken(lesson) : "")];
  }

  async teach(verb, url) {
    Object.assign(this.found, await post(this.address, { [verb]: [url] }));
    say(`${texts[`teach_said_${verb}`]} ${texts[`teach_next_${this.found.state}`]}`);
    await this.changed();
  }

  /** Return when the crawl takes what is said, or that it cannot be taught. */
  effect(state = this.found.state) {
    const { strategy, teachable, refused, able } = this.found;
    if (refused) return refused;
    if (!teachable) return texts.teach_not.replace("{}", strategy).replace("{}", able.join(", "));
    return `${texts.teach_about} ${texts[`teach_next_${state}`]}`;
  }
}

function taken({ liked, fetched }) {
  if (fetched === null) return liked === null ? texts.teach_forget_waits : texts.teach_waits;
  return fetched ? texts.teach_after.replace("{}", fetched) : texts.teach_at_start;
}

/** Replace the content of an element; the focus stays on the button with the same key. */
export function replaced(place, ...content) {
  const key = place.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  place.replaceChildren(...content);
  if (key !== undefined) [...place.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key)?.focus({ preventScroll: true });
}

/** Return the rows of a table of all that a run was taught. */
export function rows(teaching, explained) {
  return teaching.found.taught.map((one) => element("tr", {}, element("td", {}, explained(one.url)),
    element("td", {}, taken(one)), element("td", { class: "verdicts" }, ...teaching.buttons(one.url).slice(0, -1))));
}
