// paddle.js: the Paddle client. Skip this if your shop has one. For the sandbox, pass { environment: 'sandbox' } too.
import { Paddle } from '@paddle/paddle-node-sdk';

export const paddle = new Paddle(process.env.PADDLE_API_KEY ?? '');
