// Cloudflare Workers: with SVC_PROGRAM_ID and SVC_API_URL as variables and SVC_API_KEY as a secret.
import { workersRelay } from '@svc/node/relay';

const relay = workersRelay();

export default {
  /**
   * @param {Request} request
   * @param {Record<string, string>} env
   */
  async fetch(request, env) {
    if (new URL(request.url).pathname.startsWith('/x7f3a9c2/')) return relay(request, env);
    return fetch(request); // your site
  },
};
