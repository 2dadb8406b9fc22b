import type { GatewayOptions } from './gateway/server.ts';
import type { LocalService } from './start.ts';

/** The output of `--help`. */
export const HELP = `Runs the whole of Gatehouse on this machine.

  npm start -- [options]

  --port N        port of the API; 0 means any free port (default 8787)
  --host NAME     host name in URLs: localhost or a name that ends in .localhost, such as auth.gatehouse.localhost (default localhost)
  --data FOLDER   folder of all data (default .gatehouse)
  --ephemeral     keeps data in memory only, and starts empty
  --seed FILE     load organizations, users, roles, endpoints, origins and integrations from YAML or JSON
  --no-limits     lift the general limit of requests a second; attempts at passwords and codes are still limited
  --quiet         print only warnings and errors
  --json          when ready, print one line of JSON: {"url","api_key","client_id"}; with "npm start --silent --", nothing else
  --measure       also count the capacity that the table would consume on AWS (GET /_local/counters)
  --until-stdin-ends   stop when standard input ends, for programs that start this one
  --help          print this

With AWS_ENDPOINT_URL_DYNAMODB set, it uses the DynamoDB Local at that URL. With GATEHOUSE_LOG_LEVEL=debug, it prints
every log line of the functions, as JSON.
`;

/** The output when the service is ready. */
export function describe(service: LocalService, dataFolder: string | undefined, milliseconds: number): string {
  const { url, localUrl, environment } = service;
  const { apiKey, clientId } = environment;
  return `
Gatehouse is ready (${Math.round(milliseconds)} ms). Data: ${dataFolder ?? 'none kept'}. Ctrl-C stops it.

# .env
GATEHOUSE_URL=${url}
GATEHOUSE_API_KEY=${apiKey}
GATEHOUSE_CLIENT_ID=${clientId}

A first call:
  curl ${localUrl}/organizations -H 'Authorization: Bearer ${apiKey}' \\
    -H 'Content-Type: application/json' -d '{"name":"Acme"}'

Reference   ${url}/docs
Console     ${localUrl}/_local/console
Mail, text messages, events, clock, faults   ${localUrl}/_local

`;
}

/** Writes to standard error: one line for each request and each failure. */
export function terminalLog(isQuiet: boolean): {
  line: (line: string) => void;
  request: GatewayOptions['onRequest'];
  error: (message: string, error: unknown) => void;
} {
  const print = (text: string): void => void process.stderr.write(`${text}\n`);
  return {
    // Writes the kernel's log lines, of failures only. The gateway logs requests, and metrics are for CloudWatch.
    line: (line) => {
      if (process.env.GATEHOUSE_LOG_LEVEL === 'debug') return print(line);
      const { level, message, error, request_id: id } = JSON.parse(line) as LogLine;
      if (level !== 'warn' && level !== 'error') return;
      print(
        `${level}: ${message}${id === undefined ? '' : ` (${id})`}${error === undefined ? '' : ` ${detail(level, error)}`}`,
      );
    },
    request: ({ method, path, status, milliseconds, requestId }) => {
      if (!isQuiet) print(`${method} ${path} ${status} ${milliseconds.toFixed(1)} ms ${requestId}`);
    },
    error: (message, error) =>
      print(`error: ${message}${error instanceof Error ? ` ${error.stack ?? error.message}` : ''}`),
  };
}

interface LogLine {
  level?: string;
  message?: string;
  error?: { name?: string; message?: string; stack?: string };
  request_id?: string;
}

const detail = (level: string, { name, message, stack }: NonNullable<LogLine['error']>): string =>
  level === 'error' && stack !== undefined ? stack : `${name}: ${message}`;
