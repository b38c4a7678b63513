// The page of a browser, as far as the scripts of the checklist and of boards use it.

/** True if an element is what one word of a selector says, such as `h1[tabindex]`. */
function isOne(element, word) {
  const [, tag, rest] = /^([a-z0-9]*)(.*)$/.exec(word);
  if (tag && tag !== element.tagName.toLowerCase()) return false;
  return [...rest.matchAll(/([.#[])([\w-]+)(?:='([^']*)')?\]?/g)].every(([, kind, name, value]) => {
    if (kind === "#") return element.attributes.get("id") === name;
    if (kind === ".") return element.className.split(" ").includes(name);
    return element.attributes.has(name) && (value === undefined || element.attributes.get(name) === value);
  });
}

/** What listeners have thrown that nobody handled. */
export const failures = [];

class Text {
  parent = null;
  constructor(text) { this.textContent = text; }
  get isConnected() { return this.parent?.isConnected ?? false; }
  isEqualNode(other) { return other instanceof Text && other.textContent === this.textContent; }
}

export class Element extends EventTarget {
  parent = null;
  childNodes = [];
  attributes = new Map();
  dataset = {};
  style = {};
  value = "";
  /** How often the browser has asked for what is missing in it. */
  asked = 0;

  constructor(tag) {
    super();
    this.tagName = tag.toUpperCase();
  }

  get className() { return this.attributes.get("class") ?? ""; }
  get classList() {
    return { toggle: (name, isOn) => {
      const others = this.className.split(" ").filter((it) => it !== name);
      this.setAttribute("class", [...others, ...(isOn ? [name] : [])].join(" ").trim());
    } };
  }
  get isConnected() { return this.parent === true || (this.parent?.isConnected ?? false); }
  get lastChild() { return this.childNodes.at(-1); }
  get textContent() { return this.childNodes.map((it) => it.textContent).join(""); }
  set textContent(text) { this.replaceChildren(new Text(text)); }
  get all() { return this.childNodes.flatMap((it) => (it instanceof Element ? [it, ...it.all] : [])); }

  setAttribute(name, value) {
    this.attributes.set(name, value);
    if (name === "value") this.value = value;
    if (name === "hidden") this.hidden = true;
    const [, key] = /^data-(.*)$/.exec(name) ?? [];
    if (key) this.dataset[key] = value;
  }
  getAttribute(name) { return this.attributes.get(name) ?? null; }

  #put(index, nodes) {
    const own = nodes.map((it) => (typeof it === "string" ? new Text(it) : it));
    for (const node of own) {
      node.remove?.();
      node.parent = this;
    }
    this.childNodes.splice(index, 0, ...own);
  }
  append(...nodes) { this.#put(this.childNodes.length, nodes); }
  prepend(...nodes) { this.#put(0, nodes); }
  before(...nodes) { this.parent.#put(this.parent.childNodes.indexOf(this), nodes); }
  after(...nodes) { this.parent.#put(this.parent.childNodes.indexOf(this) + 1, nodes); }
  replaceChildren(...nodes) {
    for (const it of this.childNodes) it.parent = null;
    this.childNodes = [];
    this.append(...nodes);
  }
  remove() {
    if (!(this.parent instanceof Element)) return;
    this.parent.childNodes = this.parent.childNodes.filter((it) => it !== this);
    this.parent = null;
  }

  isEqualNode(other) {
    return other instanceof Element && other.tagName === this.tagName
      && [...this.attributes].join() === [...other.attributes].join()
      && other.childNodes.length === this.childNodes.length
      && this.childNodes.every((it, index) => it.isEqualNode(other.childNodes[index]));
  }
  matches(selector) { return selector.split(", ").some((it) => isOne(this, it)); }
  closest(selector) {
    return this.matches(selector) ? this : this.parent?.closest?.(selector) ?? null;
  }
  contains(other) { return other === this || this.all.includes(other); }
  querySelectorAll(selector) {
    const [word, within] = selector.split(" ").reverse();
    if (within && !within.endsWith(",")) {
      return this.all.filter((it) => it.matches(word) && it.parent.closest(within));
    }
    return this.all.filter((it) => it.matches(selector));
  }
  querySelector(selector) { return this.querySelectorAll(selector)[0] ?? null; }

  addEventListener(kind, act) {
    super.addEventListener(kind, async (event) => {
      try { await act(event); } catch (error) { failures.push(error); }
    });
  }
  focus() {}
  reportValidity() { this.asked += 1; }
  click() { this.dispatchEvent(new Event("click")); }
  submit() { this.dispatchEvent(new Event("submit", { cancelable: true })); }
}

/** A document with elements by their ids, in a language. */
export function makePage(ids) {
  const body = new Element("body");
  body.parent = true;
  const page = Object.assign(new EventTarget(), {
    body, hidden: false, activeElement: body, documentElement: { lang: "en" },
    getElementById: (id) => body.all.find((it) => it.attributes.get("id") === id) ?? null,
    querySelector: (selector) => body.querySelector(selector),
    querySelectorAll: (selector) => body.querySelectorAll(selector),
    createElement: (tag) => new Element(tag),
    createTextNode: (text) => new Text(text),
  });
  for (const id of ids) {
    const element = new Element("div");
    element.setAttribute("id", id);
    body.append(element);
  }
  return page;
}
