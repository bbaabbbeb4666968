// Text of others, as a page shows it: the same rules as those of the terminal (ontology/printable.py).

const LONGEST = 2000; // characters of any text on a page; the interface for programs has all
const CONTROL = /[\p{Cc}\u2028\u2029]/gu;
const JOINED = "\u0600-\u109f\u1780-\u18af\u2190-\u2bff\ufb50-\ufdcf\ufdf0-\ufdff\ufe0f\ufe70-\ufefc\u{1f000}-\u{1faff}";
const UNSEEN = new RegExp(
  "[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e007f}]" +
  `|(?<![${JOINED}])[\u200c\u200d]|[\u200c\u200d](?![${JOINED}])`, "gu");
const MARK = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]";
const PILED = new RegExp(`(${MARK}{4})${MARK}+`, "gu");

/** Return text without control and bidirectional characters and piles of marks, cut to a length. */
export function printable(text, most = LONGEST) {
  const whole = String(text);
  const shown = whole.slice(0, 2 * most).replace(CONTROL, " ").replace(UNSEEN, "").replace(PILED, "$1").toWellFormed();
  return shown.length > most || whole.length > 2 * most ? `${shown.slice(0, most - 1).toWellFormed()}…` : shown;
}

/** Return a title, a name or an address at the length of a line or two. */
export function brief(text) {
  return printable(text, 160);
}

/** Return whether a link may lead to an address: of the web or of this server, but no script. */
export function isWeb(address) {
  try {
    return ["http:", "https:"].includes(new URL(address, location.href).protocol);
  } catch {
    return false;
  }
}
