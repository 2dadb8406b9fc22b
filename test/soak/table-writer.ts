/** A process that writes transactions of six rows into the tables of a folder without an end, and prints the number of each that was acknowledged. */
import { writeSync } from 'node:fs';

import { openTables } from '../support/table.ts';

const [folder = '', round = ''] = process.argv.slice(2);
const { run } = await openTables(folder);
for (let number = 0; ; number += 1) {
  const TransactItems = Array.from({ length: 6 }, (_, at) => ({
    Put: {
      TableName: 'records',
      Item: {
        pk: { S: round },
        sk: { S: `${String(number).padStart(9, '0')}-${at}` },
        gsi1pk: { S: `all-${at}` },
        gsi1sk: { S: `${round}-${number}` },
        text: { S: 'x'.repeat((number * 37) % 2_000) },
      },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  }));
  const { status, body } = run('TransactWriteItems', { TransactItems });
  if (status !== 200) throw new Error(JSON.stringify(body));
  writeSync(1, `${number}\n`);
}
