import type { ProgramTracker } from '../values/link-parameters.ts';
import type { ProcessorName } from '../values/processors.ts';
import { customGuide } from './custom.ts';
import { lemonsqueezyGuide } from './lemonsqueezy.ts';
import { paddleGuide } from './paddle.ts';
import { polarGuide } from './polar.ts';
import type { CheckoutGuide } from './snippet.ts';
import { stripeGuide } from './stripe.ts';

type GuideOf = (programId: number, baseUrl: string, tracker?: ProgramTracker) => CheckoutGuide;

/** The code for checkouts of each payment processor. The dashboard and the docs show it, and tests run it. */
export const checkoutGuides: Record<ProcessorName, GuideOf> = {
  stripe: stripeGuide,
  paddle: paddleGuide,
  polar: polarGuide,
  lemonsqueezy: lemonsqueezyGuide,
  custom: customGuide,
};
