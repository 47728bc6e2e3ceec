import { exampleCode } from './example-code.ts';
import type { CheckoutGuide } from './snippet.ts';

/** How a shop with any other payment processor reports its payments itself. */
export function customGuide(programId: number, baseUrl: string): CheckoutGuide {
  const code = exampleCode(baseUrl, programId);
  return {
    shared: [{ file: 'report-event.js', language: 'js', code: code('custom/report-event.js') }],
    ways: [
      {
        name: 'custom-events',
        title: 'Events from your server',
        about:
          'Call it where you learn that an order was paid or refunded, such as in the handler of your processor’s webhook.',
        snippets: [
          {
            framework: 'Node.js',
            file: 'where you learn of payments',
            language: 'js',
            code: code('custom/payments.js#payment', 'custom/payments.js#refund'),
          },
        ],
      },
    ],
  };
}
