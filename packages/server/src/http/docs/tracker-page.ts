import type { TrackerAddresses } from '../assets/package-addresses.ts';
import type { Block } from './blocks.ts';

/** The tags of this installation's tracker, and the addresses of its package, ready to copy. */
export function trackerPage(tracker: TrackerAddresses): { title: string; blocks: Block[] } {
  const pinned = `<script async src="${tracker.immutable_url}" crossorigin="anonymous"
  integrity="${tracker.integrity}"
  data-svc-program-id="PROGRAM_ID"></script>`;
  return {
    title: 'Script tags',
    blocks: [
      {
        text: `The tags and the package of version ${tracker.version}, with the address of this service. What the tracker does, and how to report signups, is in [the guide](/docs/guide/tracker).`,
      },
      { heading: 'Script tag', level: 2 },
      { code: tracker.script_tag },
      { heading: 'Pinned to its content', level: 2 },
      { text: 'The address never changes what it serves, and the browser checks it.' },
      { code: pinned },
      { heading: 'Stripe’s payment links, buy buttons and pricing tables', level: 2 },
      { text: 'This variant also passes the click on to them:' },
      { code: tracker.script_tag.replace(tracker.url, tracker.stripe_url) },
      { heading: 'Package', level: 2 },
      { code: `npm i ${tracker.package_immutable_url}` },
      {
        text: 'This address serves the same bytes for good, so lockfiles stay valid after an upgrade of the service. Addresses and integrity hashes for tools: [/js/svc-tracker.json](/js/svc-tracker.json) and [/packages.json](/packages.json).',
      },
    ],
  };
}
