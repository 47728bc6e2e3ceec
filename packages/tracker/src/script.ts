import { CHANGE_EVENT, SIGNUP_SECONDS } from './constants.ts';
import { consent, getClickId, getData, init, options, signup, sleep } from './tracker.ts';

type Call = [name: 'init' | 'signup' | 'consent', ...args: never[]];

const api = {
  loaded: true,
  init,
  signup,
  consent,
  getData,
  getClickId,
  push([name, ...args]: Call) {
    (api[name] as ((...args: never[]) => unknown) | undefined)?.(...args);
  },
};

// biome-ignore lint/suspicious/noAssignInExpressions: ten bytes shorter than two statements
const queue = ((window as unknown as { svc: Call[] & { loaded?: boolean } }).svc ||= []);

// A second tag on the same page changes nothing.
if (!queue.loaded) {
  // A module has no `currentScript`.
  const { src = '', dataset } = (document.currentScript ||
    document.querySelector('[src*=svc-tracker]') ||
    {}) as HTMLScriptElement;
  // Under another name than `…/js/svc-tracker…`, it belongs to the service of its origin.
  options.apiBase = src.replace(/(.*)\/js\/svc.*|\b\/.*/, '$1');
  for (const name in dataset) {
    // `data-svc-cookie-domain` is the option `cookieDomain`; an attribute without a value means true.
    if (/^svc./.test(name))
      (options as Record<string, unknown>)[(name[3] as string).toLowerCase() + name.slice(4)] =
        dataset[name] !== 'false' && (dataset[name] || true);
  }
  const showData = () => Object.assign(queue, api, getData());
  addEventListener(CHANGE_EVENT, showData);
  showData();
  // Without an id the page calls `init` itself. If it has not done so after a while, this call says what is missing.
  if (options.programId) init();
  else void sleep(SIGNUP_SECONDS).then(init);
  queue.splice(0).map(api.push);
  showData();
}
