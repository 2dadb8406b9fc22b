import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Agent, type ClientRequest, get, type OutgoingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';

type Work = () => Promise<unknown>;

/** A request that a function sent to the service's own API. */
interface ApiCall {
  host: string;
  path: string;
  headers: OutgoingHttpHeaders;
}

/**
 * Makes the baseline of a function that calls the service's own API: the calls that it made in one run, all at once, by Node's own
 * client over connections that stay open. The CPU time of sending them and of receiving what is in them is not the function's own.
 * @param work a run of the function, which only reads
 */
export async function recordApiCalls(work: Work): Promise<Work> {
  const calls: ApiCall[] = [];
  const note = (message: unknown): void => {
    const { request } = message as { request: ClientRequest };
    // Calls of AWS name their operation in this header.
    if (request.method !== 'GET' || request.hasHeader('x-amz-target')) return;
    calls.push({ host: String(request.getHeader('host')), path: request.path, headers: request.getHeaders() });
  };
  subscribe('http.client.request.start', note);
  await work();
  unsubscribe('http.client.request.start', note);
  const agent = new Agent({ keepAlive: true });
  return () => Promise.all(calls.map((call) => send(call, agent)));
}

const send = ({ host, path, headers }: ApiCall, agent: Agent): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const [hostname, port] = host.split(':');
    get({ hostname, port, path, headers, agent }, (response) => void buffer(response).then(resolve, reject)).on(
      'error',
      reject,
    );
  });
