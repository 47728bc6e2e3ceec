/** What only owners manage, as the end of a sentence. */
export const OWNERS_ONLY = 'API keys, the team, payment processors and handing partners over';
