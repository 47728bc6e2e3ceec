import type { Data } from '../../../api/client.ts';

export type Postback = NonNullable<Data<'managePostback'>['postback']>;
