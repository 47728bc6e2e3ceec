import { CHANGE_EVENT } from './constants.ts';

const LINKS = 'a[href^="https://buy.stripe.com/"],a[data-svc-pay]';
const ELEMENTS = 'stripe-pricing-table,stripe-buy-button';

/**
 * Passes the click id on to Stripe as the client reference of Payment Links, buy buttons and pricing tables. A reference that
 * the page has set itself is left alone. Stripe drops references with other characters without saying so.
 */
export const decorate = (getClickId: () => string | null): void => {
  const reference = () => (/^[\w-]{1,200}$/.test(getClickId() as string) ? (getClickId() as string) : '');

  // When the visitor uses the link: frameworks may have drawn it again since the page was loaded.
  const addToLink = ({ target }: Event) => {
    const link = (target as Element).closest?.<HTMLAnchorElement>(LINKS);
    if (!link || !reference()) return;
    const url = new URL(link.href);
    if (url.searchParams.get('client_reference_id')) return;
    url.searchParams.set('client_reference_id', reference());
    link.href = url.href;
  };
  for (const type of ['click', 'auxclick', 'contextmenu']) addEventListener(type, addToLink, true);

  const addToElements = () => {
    for (const element of document.querySelectorAll(ELEMENTS)) {
      if (!reference() || element.getAttribute('client-reference-id')) continue;
      element.setAttribute('client-reference-id', reference());
      // Stripe reads the attribute when it draws the element, so one that it has drawn is drawn again.
      if (element.matches(':defined')) element.replaceWith(element.cloneNode());
    }
  };
  addToElements();
  addEventListener(CHANGE_EVENT, addToElements);
  new MutationObserver(addToElements).observe(document, { childList: true, subtree: true });
};
