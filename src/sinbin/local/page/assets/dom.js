// Building and changing the page. Whatever a server says goes in as text: nothing here reads markup.

/** Return an element; `props` are attributes, but `on` holds listeners. Texts among the children stay texts. */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    } else {
      setAttribute(node, name, value);
    }
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** Give `node` an attribute; false, null and undefined take it away. Nothing is touched that is so already. */
export function setAttribute(node, name, value) {
  if (value === false || value === null || value === undefined) {
    node.removeAttribute(name);
  } else {
    const text = value === true ? "" : String(value);
    if (node.getAttribute(name) !== text) node.setAttribute(name, text);
  }
}

/** Let `node` say `text`, and leave it alone when it does: what is read aloud is read once. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function byId(id) {
  return document.getElementById(id);
}

const made = new WeakMap();

/**
 * Show one view per item in `parent`, in their order. A view that stays keeps its node, and with it the focus.
 * `make(item)` returns `{node, update(item)}`.
 */
export function sync(parent, items, keyOf, make) {
  const before = made.get(parent) ?? new Map();
  const after = new Map();
  for (const item of items) {
    const key = String(keyOf(item));
    after.set(key, before.get(key) ?? make(item));
    after.get(key).update(item);
  }
  for (const [key, view] of before) {
    if (after.get(key) !== view) view.node.remove();
  }
  let place = parent.firstElementChild;
  for (const { node } of after.values()) {
    if (node === place) place = place.nextElementSibling;
    else parent.insertBefore(node, place);
  }
  made.set(parent, after);
}
