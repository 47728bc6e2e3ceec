import type { ProcessorName } from '@svc/contract';
import { custom } from './custom/custom.ts';
import { lemonsqueezy } from './lemonsqueezy/lemonsqueezy.ts';
import { paddle } from './paddle/paddle.ts';
import { polar } from './polar/polar.ts';
import type { Processor } from './processor.ts';
import { stripe } from './stripe/stripe.ts';

/** Every payment processor that a program can be connected to. */
export const processors: Record<ProcessorName, Processor> = { stripe, paddle, polar, lemonsqueezy, custom };
