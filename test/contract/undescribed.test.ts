import { expect, test } from '@jest/globals';

import { openApiDocument } from '../../lib/openapi/document.ts';
import { listOperations } from '../../functions/faces/reference/navigation/navigation.ts';
import { listParameters, listShapes } from '../../functions/faces/reference/page/bodies.ts';
import { findBodySchema, follower } from '../../functions/faces/reference/page/schema.ts';
import { areas } from '../../functions/registry.ts';

/** The numbers of today. They only fall: describe a new parameter or member with `.describe`, or in `lib/openapi/glossary.ts`. */
const MOST_PARAMETERS = 0;
const MOST_MEMBERS = 0;

test('no more parameters and members of request bodies lack a description than before', () => {
  const document = openApiDocument(areas);
  const follow = follower(document.components);
  // Browsers send the forms of pages.
  const operations = listOperations(document).filter(
    ({ path }) => !/^\/(hosted|console|device|portal\/(\{|links))/.test(path),
  );
  const lacking = (own: readonly { description?: string | undefined }[]): number =>
    own.filter(({ description }) => description === undefined).length;
  const parameters = operations.map(({ operation }) => lacking(listParameters(operation, follow)));
  const members = operations.map(({ operation }) => {
    const schema = findBodySchema(operation);
    return schema === undefined ? 0 : lacking(listShapes('', schema, follow).flatMap(({ fields }) => fields));
  });
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
  expect(sum(parameters)).toBeLessThanOrEqual(MOST_PARAMETERS);
  expect(sum(members)).toBeLessThanOrEqual(MOST_MEMBERS);
});
