import { expect, it } from 'vitest';
import { fieldsNotShown, LISTS } from '../../test/shown-fields.ts';

it.each(LISTS)('every field of a %s is shown, or left out on purpose', (...list) => {
  const [, , files] = list;
  expect({ files, notShown: fieldsNotShown(list) }).toEqual({ files, notShown: [] });
});
