import { enableCompileCache } from 'node:module';

enableCompileCache();
const { makeTopology: topologyOf } = await import('../../../lib/topology/index.ts');
const { startLocal } = await import('../../../lib/local/start.ts');
const { StartError } = await import('../../../lib/local/listen.ts');
const { mirrorArea, trialAccess, trialArea } = await import('./area.ts');

/** Runs the local service with the trial areas: `node serve.ts '{"port":0,…}'`; ends with standard input. */
const options = JSON.parse(process.argv[2] ?? '{}') as { port?: number; dataFolder?: string; limits?: boolean };
const handlers = await import('./handler.ts');
const topology = topologyOf([trialArea, mirrorArea], trialAccess);

try {
  const service = await startLocal({
    port: 0,
    measures: true,
    limits: false,
    ...options,
    topology: options.limits === true ? { ...topology, throttle: { rate: 5, burst: 5 } } : topology,
    load: async (file) => (file.startsWith('functions/any/mirror/') ? { http: handlers.mirror } : { ...handlers }),
    onError: (message, error) => process.stderr.write(`${message} ${String(error)}\n`),
  });
  process.stdin.on('end', () => void service.close().then(() => process.exit(0))).resume();
  const { url, environment, endpoints } = service;
  process.stdout.write(`${JSON.stringify({ url, endpoints, ...environment })}\n`);
} catch (error) {
  process.stderr.write(error instanceof StartError ? error.message : String((error as Error).stack));
  process.exit(1);
}
