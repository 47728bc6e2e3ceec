import { type RefObject, useEffect } from 'react';
import { type FocusPlace, placeOf, returnFocus } from '../ui/layout/return-focus.ts';

/**
 * Keeps keyboards and screen readers where they were when the focused element is removed, such as the button of a row that has
 * been approved: on the list around it or, if that is gone as well, on the page content.
 */
export function useFocusGuard(content: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const main = content.current;
    if (!main) return;
    let focused: FocusPlace | null = null;
    const remember = ({ target }: FocusEvent) => {
      if (target instanceof Element) focused = placeOf(target);
    };
    const restore = () => {
      if (!focused || focused.element.isConnected || document.activeElement !== document.body) return;
      const place = focused;
      focused = null;
      returnFocus(place);
    };
    main.addEventListener('focusin', remember);
    const observer = new MutationObserver(restore);
    observer.observe(main, { childList: true, subtree: true });
    return () => {
      main.removeEventListener('focusin', remember);
      observer.disconnect();
    };
  }, [content]);
}
