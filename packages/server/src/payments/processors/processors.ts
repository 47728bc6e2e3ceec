import type { ProcessorName } from '@svc/contract';
import { paddle } from './paddle/paddle.ts';
import type { Processor } from './processor.ts';
import { stripe } from './stripe/stripe.ts';

/** Every payment processor that a program can be connected to. */
export const processors: Record<ProcessorName, Processor> = { stripe, paddle };
