import type { ProgramTracker } from '../values/link-parameters.ts';
import { exampleCode } from './example-code.ts';
import type { PackageUrls } from './packages.ts';
import type { IntegrationWay, Snippet } from './snippet.ts';
import { stripeGuide } from './stripe.ts';
import { trackerWays } from './tracker-ways.ts';

/** The code that reports clicks, signups and sales, filled in for one program. The API key is only named, never written. */
export type IntegrationGuide = { click: IntegrationWay[]; lead: IntegrationWay[]; sale: IntegrationWay[] };

export function integrationGuide(
  baseUrl: string,
  programId: number,
  packages: PackageUrls,
  tracker?: ProgramTracker,
): IntegrationGuide {
  const code = exampleCode(baseUrl, programId, tracker);
  const install: Snippet = { file: 'in a terminal', language: 'sh', code: `npm install ${packages.node}\n` };
  const next = (file: string, text: string): Snippet => ({ file, language: 'ts', code: text });
  const express = (text: string): Snippet => ({ file: 'where the routes of your app are', language: 'js', code: text });
  return {
    click: trackerWays(baseUrl, programId, packages, tracker),
    lead: [
      {
        ...ON_SERVER,
        name: 'next',
        title: 'Next.js',
        snippets: [install, next('app/signup/route.ts', code('nextjs/app/signup/route.ts#signup'))],
      },
      {
        ...ON_SERVER,
        name: 'express',
        title: 'Express',
        snippets: [install, express(code('express/server.js#imports', 'express/server.js#signup'))],
      },
      {
        name: 'page',
        title: 'In the page',
        about:
          'For sites without a server of their own: call it when the signup has succeeded. If your settings require server-side signups, it counts once your server or a payment confirms it.',
        snippets: [{ file: 'the page that signs people up', language: 'html', code: code('html/welcome.html#signup') }],
      },
    ],
    sale: [
      ...stripeWays(programId, baseUrl, tracker),
      {
        ...YOURSELF,
        name: 'next',
        title: 'Next.js',
        snippets: [install, next('app/order/route.ts', code('nextjs/app/order/route.ts#order'))],
      },
      {
        ...YOURSELF,
        name: 'express',
        title: 'Express',
        snippets: [install, express(code('express/server.js#imports', 'express/server.js#order'))],
      },
    ],
  };
}

const ON_SERVER = {
  about:
    'Report it right after the user is saved. It needs the API key from step 2 in the variable SVC_API_KEY. It never throws, and never holds your code longer than three seconds.',
};

const YOURSELF = {
  about:
    'If you connect no payment processor: report each payment once, when it has been paid. Amounts are in the smallest unit of the currency.',
};

/** Checkout and Payment Links, from the guide of the payments page. */
function stripeWays(programId: number, baseUrl: string, tracker?: ProgramTracker): IntegrationWay[] {
  const { shared, ways } = stripeGuide(programId, baseUrl, tracker);
  const wayOf = (name: string) => ways.find((way) => way.name === name)?.snippets ?? [];
  return [
    {
      name: 'checkout',
      title: 'Stripe Checkout',
      about: 'Stripe reports the payment. Put the metadata on each checkout, so that it says who paid.',
      shared,
      snippets: wayOf('payment').slice(0, 2).map(titled),
    },
    {
      name: 'links',
      title: 'Payment Links',
      about: 'Stripe reports the payment. This adds the visitor’s click to your payment links.',
      snippets: wayOf('link'),
    },
  ];
}

const titled = ({ framework, ...snippet }: Snippet & { framework: string }): Snippet => ({
  ...snippet,
  file: `${framework}: ${snippet.file}`,
});
