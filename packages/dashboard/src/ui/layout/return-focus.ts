/** An element, and the list that it was in. */
export type FocusPlace = { element: Element; list: Element | null };

/** Where keyboards and screen readers are. For an item of a menu that is where its button is: the menu closes. */
export function placeOf(element: Element): FocusPlace {
  const menuButton = element.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const lasting = (menuButton && document.getElementById(menuButton)) || element;
  return { element: lasting, list: lasting.closest('[data-list]') };
}

/** Focuses the element or, if it is gone, such as the button of a row that was approved, the list or the page around it. */
export function returnFocus({ element, list }: FocusPlace): void {
  const table = list?.isConnected ? list.querySelector('section[tabindex="0"]') : null;
  const target = element.isConnected ? element : (table ?? document.getElementById('content'));
  if (target instanceof HTMLElement) target.focus({ preventScroll: true });
}
