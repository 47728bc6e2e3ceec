import type { TrackerOptions } from './options.ts';
import { consent, getClickId, getData, init, signup } from './tracker.ts';

type Call = [name: 'init' | 'signup' | 'consent', ...args: never[]];

const api = {
  init,
  signup,
  consent,
  getData,
  getClickId,
  push([name, ...args]: Call) {
    (api[name] as ((...args: never[]) => unknown) | undefined)?.(...args);
  },
};

const page = window as unknown as { svc: Call[] & { getData?: unknown } };
// biome-ignore lint/suspicious/noAssignInExpressions: ten bytes shorter than two statements
const queue = (page.svc ||= []);

// A second tag on the same page changes nothing.
if (!queue.getData) {
  const { src = '', dataset } = (document.currentScript || {}) as HTMLScriptElement;
  const options: Record<string, unknown> = { apiBase: src.split('/js/svc-tracker')[0] };
  for (const name in dataset) {
    // `data-svc-cookie-domain` is the option `cookieDomain`; an attribute without a value means true.
    const value = dataset[name];
    if (/^svc./.test(name))
      options[(name[3] as string).toLowerCase() + name.slice(4)] = value !== 'false' && (value || true);
  }
  Object.assign(queue, api);
  if (options.programId) init(options as TrackerOptions);
  queue.splice(0).forEach(api.push);
}
