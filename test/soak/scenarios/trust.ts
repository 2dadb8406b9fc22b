import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runJest } from '../../../bin/jest.ts';
import { must } from '../scenario.ts';

/** Random histories of trust, and those that find each flipped rule (test/areas/trust/*.soak.ts). */
export const trust = {
  name: 'trust',
  run: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-flips-'));
    const GATEHOUSE_FLIPPED = join(folder, 'place');
    writeFileSync(GATEHOUSE_FLIPPED, '');
    // No step reads GET /events, for which `idle` would wait after each write.
    const status = await runJest('test/soak/trust.config.mjs', [], {
      GATEHOUSE_FLIPPED,
      GATEHOUSE_EVENT_HORIZON_MS: '0',
    });
    rmSync(folder, { recursive: true });
    must(status === 0, 'Each history keeps rule 1, and a flipped rule is found.');
  },
};
