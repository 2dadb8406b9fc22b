/**
 * The service that is measured, in a separate process. The bench forks it, and it reports over IPC its URL and the
 * environment variables of its functions.
 */
import { sendLinesTo } from '../../functions/kernel/log.ts';
import { startLocal } from '../../lib/local/start.ts';
import { topology } from '../../lib/topology/index.ts';
import { attribute } from './profile/attribution.ts';
import { type Sampled, startSampling } from './profile/sampling.ts';

/** The options of the bench. */
export interface Ready {
  url: string;
  apiKey: string;
  /** The variables with which a function finds the engines. */
  variables: Record<string, string>;
}

const root = new URL('../../', import.meta.url);

if (import.meta.main) {
  sendLinesTo(() => undefined);
  const folder = process.argv.indexOf('--data');
  const service = await startLocal({
    dataFolder: folder === -1 ? undefined : process.argv[folder + 1],
    port: 0,
    limits: false,
    // Counting consumed capacity takes CPU time, which a comparison with other services leaves out.
    measures: folder === -1 && !process.argv.includes('--without-capacity'),
    topology,
    load: (file) => import(new URL(file, root).href) as Promise<Record<string, unknown>>,
    onError: (message, error) => console.error(`service: ${message}`, error ?? ''),
  });
  const variables = Object.entries(process.env).filter(([name]) => /^(AWS|GATEHOUSE)_/.test(name));
  const ready: Ready = {
    url: service.url,
    apiKey: service.environment.apiKey,
    variables: Object.fromEntries(variables) as Record<string, string>,
  };
  process.send?.(ready);
  let stop: (() => Promise<Sampled>) | undefined;
  process.on('message', (command: string) => {
    void (async () => {
      if (command === 'start sampling') {
        stop = await startSampling();
        process.send?.('started');
      } else if (stop !== undefined) {
        process.send?.(attribute(await stop(), Number(command.split(' ').at(-1))));
      }
    })();
  });
  // The channel closes when the bench ends for any reason.
  process.on('disconnect', () => {
    service.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
}
