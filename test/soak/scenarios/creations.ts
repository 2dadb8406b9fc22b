import { forkChild } from '../../bench/child.ts';
import type { Ready } from '../../bench/service.ts';
import { connect } from '../../support/connection.ts';
import { must, print, type Scenario, sideBySide } from '../scenario.ts';

const CREATIONS = 100_000;
const PARTS = 10;
/** Requests at a time. */
const WIDTH = 16;
/** The maximum time of the last part as a multiple of that of the first: more would be growth, less is the noise of a machine. */
const MOST_GROWTH = 1.5;

/** 100,000 organizations are created in a service that keeps its data in memory; the last ones take no longer than the first. */
export const creations: Scenario = {
  name: 'creations',
  run: async () => {
    const service = await forkChild<Ready>('service.ts', ['--without-capacity']);
    const connection = connect(service.message.url, service.message.apiKey);
    const times: number[] = [];
    try {
      for (let part = 0; part < PARTS; part += 1) {
        const startedAt = performance.now();
        const numbers = Array.from({ length: CREATIONS / PARTS }, (_, at) => at);
        await sideBySide(numbers, WIDTH, (at) =>
          connection.demand({ method: 'POST', path: '/organizations', body: { name: `Organization ${part} ${at}` } }),
        );
        const milliseconds = performance.now() - startedAt;
        times.push(milliseconds);
        print(`${(part + 1) * numbers.length}: ${((numbers.length / milliseconds) * 1_000).toFixed(0)} a second`);
      }
    } finally {
      connection.close();
      service.process.disconnect();
    }
    const growth = (times.at(-1) ?? NaN) / (times[0] ?? NaN);
    must(growth <= MOST_GROWTH, `The last creations take at most ${MOST_GROWTH} times the first; they took ${growth}`);
  },
};
