import { z } from 'zod';

/** The parameter that asks for what rows name by its id: names, separated by commas. */
export const expand = <const Name extends string>(...names: [Name, ...Name[]]) => {
  const isKnown = (name: string): name is Name => names.some((known) => known === name);
  const error = `expand must be ${names.join(' or ')}${names.length > 1 ? ', or both, separated by a comma' : ''}`;
  return z
    .string({ error })
    .transform((text) => text.split(','))
    .refine((asked) => asked.every(isKnown), { error })
    .transform((asked) => asked.filter(isKnown))
    .optional()
    .describe(`Adds to the rows what they name by its id: \`${names.join(',')}\`.`);
};
