// Runs on documentation pages: search while typing, buttons that copy code, and the section that is being read. Without it, the
// search has a page of its own and everything else can be read.

/** @typedef {{ href: string, page: string, heading: string | null, excerpt: { text: string, isMatch: boolean }[] }} Found */

const QUIET_MS = 120;
const COPIED_MS = 2000;

for (const form of document.querySelectorAll('form[role="search"]')) {
  if (form instanceof HTMLFormElement) answerWhileTyping(form);
}
for (const code of document.querySelectorAll('.text pre')) addCopyButton(code);
followSections();
// The menu is longer than the window.
document.querySelector('.menu [aria-current]')?.scrollIntoView({ block: 'nearest' });

/** Makes the field of a search form a combobox with what the service finds. */
function answerWhileTyping(/** @type {HTMLFormElement} */ form) {
  const field = form.querySelector('input');
  if (!field) return;
  const list = element('div', { role: 'listbox', id: `${field.id}-found`, 'aria-label': 'Search results' });
  list.hidden = true;
  const status = element('p', { class: 'spoken', role: 'status' });
  form.append(list, status);
  set(field, { role: 'combobox', 'aria-autocomplete': 'list', 'aria-controls': list.id, 'aria-expanded': 'false' });

  let asked = '';
  let active = -1;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  const options = () => [...list.querySelectorAll('a')];

  const show = (/** @type {boolean} */ isShown) => {
    list.hidden = !isShown;
    field.setAttribute('aria-expanded', String(isShown));
    if (!isShown) activate(-1);
  };
  const activate = (/** @type {number} */ index) => {
    active = index;
    options().forEach((option, at) => {
      option.setAttribute('aria-selected', String(at === index));
      if (at === index) option.scrollIntoView({ block: 'nearest' });
    });
    if (index < 0) field.removeAttribute('aria-activedescendant');
    else field.setAttribute('aria-activedescendant', `${list.id}-${index}`);
  };
  const search = async () => {
    const text = field.value.trim();
    if (text === asked) return show(list.childElementCount > 0 && text !== '');
    asked = text;
    if (text === '') {
      list.replaceChildren();
      status.textContent = '';
      return show(false);
    }
    const answer = await fetch(`/docs/search.json?q=${encodeURIComponent(text)}`).catch(() => null);
    // Answers can overtake each other.
    if (text !== field.value.trim()) return;
    if (!answer?.ok) {
      asked = '';
      status.textContent = 'The search is not available right now.';
      return show(false);
    }
    /** @type {Found[]} */
    const found = (await answer.json()).results;
    list.replaceChildren(...found.map((result, index) => optionOf(result, `${list.id}-${index}`)));
    if (found.length === 0) list.append(element('p', {}, `Nothing found for “${text}”.`));
    status.textContent =
      found.length === 0 ? 'Nothing found' : `${found.length} ${found.length === 1 ? 'result' : 'results'}`;
    show(document.activeElement === field);
    activate(-1);
  };

  field.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(search, QUIET_MS);
  });
  field.addEventListener('focus', search);
  field.addEventListener('blur', () => show(false));
  // A press on a result would take the focus away first, and the list with it.
  list.addEventListener('pointerdown', (event) => event.preventDefault());
  field.addEventListener('keydown', (event) => {
    const count = options().length;
    if (event.key === 'Escape') {
      if (list.hidden) field.blur();
      else event.preventDefault();
      return show(false);
    }
    if (event.key === 'Enter' && active >= 0) {
      event.preventDefault();
      return options()[active]?.click();
    }
    if ((event.key !== 'ArrowDown' && event.key !== 'ArrowUp') || count === 0) return;
    event.preventDefault();
    show(true);
    const step = event.key === 'ArrowDown' ? 1 : -1;
    // One place more than there are results: the field itself.
    activate(((active + 1 + step + count + 1) % (count + 1)) - 1);
  });
  document.addEventListener('keydown', (event) => {
    const isCommand = event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey);
    const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select') !== null;
    if (!isCommand && (event.key !== '/' || isTyping || event.metaKey || event.ctrlKey || event.altKey)) return;
    if (field.offsetParent === null) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
}

/** A result as a link. What it is about comes first, then where the words are. */
function optionOf(/** @type {Found} */ { href, page, heading, excerpt }, /** @type {string} */ id) {
  const option = element('a', { href, id, role: 'option', 'aria-selected': 'false', tabindex: '-1' });
  const title = element('span', { class: 'title' });
  title.append(heading ?? page);
  if (heading) title.append(element('span', { class: 'place' }, page));
  const text = element('span', { class: 'excerpt' });
  text.append(...excerpt.map((part) => (part.isMatch ? element('mark', {}, part.text) : part.text)));
  option.append(title, text);
  return option;
}

function addCopyButton(/** @type {Element} */ code) {
  const button = element('button', { type: 'button', class: 'copy' }, 'Copy');
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  button.addEventListener('click', async () => {
    const isCopied = await copy(code);
    button.textContent = isCopied ? 'Copied' : 'Press Ctrl+C';
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      button.textContent = 'Copy';
    }, COPIED_MS);
  });
  // The pages of this service have code without a frame around it too.
  if (code.parentElement?.className !== 'code') {
    const frame = element('div', { class: 'code' });
    code.replaceWith(frame);
    frame.append(code);
  }
  code.parentElement?.append(button);
}

/** Copies the code, or at least selects it: pages without TLS may not write to the clipboard. */
async function copy(/** @type {Element} */ code) {
  const text = (code.textContent ?? '').trimEnd();
  const isWritten = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  if (!isWritten) getSelection()?.selectAllChildren(code);
  return isWritten === true;
}

/** Marks the section at the top of the window in the menu of the page. */
function followSections() {
  const links = [...document.querySelectorAll('.contents a')].filter((link) => link instanceof HTMLAnchorElement);
  const headings = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  if (links.length === 0) return;
  const mark = () => {
    const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
    const passed = headings.findLastIndex((heading) => heading && heading.getBoundingClientRect().top < 140);
    const current = isAtEnd && scrollY > 0 ? links.length - 1 : passed;
    links.forEach((link, index) => {
      if (index === current) link.setAttribute('aria-current', 'location');
      else link.removeAttribute('aria-current');
    });
  };
  let isDue = false;
  addEventListener(
    'scroll',
    () => {
      if (isDue) return;
      isDue = true;
      requestAnimationFrame(() => {
        isDue = false;
        mark();
      });
    },
    { passive: true },
  );
  mark();
}

function element(
  /** @type {string} */ name,
  /** @type {Record<string, string>} */ attributes = {},
  /** @type {string} */ text = '',
) {
  const made = document.createElement(name);
  set(made, attributes);
  made.append(text);
  return made;
}

function set(/** @type {Element} */ target, /** @type {Record<string, string>} */ attributes) {
  for (const [name, value] of Object.entries(attributes)) target.setAttribute(name, value);
}
