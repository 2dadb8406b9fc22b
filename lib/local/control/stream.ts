import type { IncomingMessage, ServerResponse } from 'node:http';

import { clockPart, faultsPart } from '../page/parts.ts';
import { mailRow } from '../page/mail.ts';
import { traceItem } from '../page/trace-view.ts';
import type { Controls } from './controls.ts';

/** Time in ms in which changes are collected, so that a burst of writes is one step of the stream. */
const COLLECT_MS = 40;
/** Maximum number of open streams: those of a developer's tabs. */
const MOST_STREAMS = 32;

/** The parts of the controls that a stream shows. */
type Source = Pick<Controls, 'timeline' | 'faults' | 'clockOffsetSeconds' | 'time'>;

/**
 * The changes of the page as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html): `trace` and
 * `mail` have the HTML of an entry, `part` that of the clock or the faults, and `reset` asks the page to load again. Nothing is
 * read or sent while nothing happens. The id of an event is the revision that a browser has seen, from which it continues.
 */
export class Streams {
  readonly #source: Source;
  readonly #open = new Set<() => void>();

  constructor(source: Source) {
    this.#source = source;
  }

  /** Sends the changes of clock and faults, which the timeline does not know. */
  notify(): void {
    for (const change of this.#open) change();
  }

  /** Keeps a response open and sends changes until the browser leaves. @returns false if too many are open */
  serve(request: IncomingMessage, response: ServerResponse, since: string | null): boolean {
    if (this.#open.size >= MOST_STREAMS) return false;
    const { timeline } = this.#source;
    const [epoch, revision] = (request.headers['last-event-id']?.toString() ?? since ?? '').split('.');
    let seenEpoch = epoch ?? '';
    let seen = Number(revision ?? 0);
    const sent = new Map<string, string>();
    let timer: NodeJS.Timeout | undefined;
    const write = (event: string, data: unknown): void =>
      void response.write(`event: ${event}\nid: ${timeline.epoch}.${seen}\ndata: ${JSON.stringify(data)}\n\n`);
    const flush = (): void => {
      timer = undefined;
      if (seenEpoch !== timeline.epoch) {
        seenEpoch = timeline.epoch;
        seen = timeline.revision;
        write('reset', {});
        return;
      }
      const changed = timeline.list(seen).toReversed();
      seen = timeline.revision;
      for (const trace of changed) {
        write('trace', { id: `trace-${trace.key}`, html: traceItem(trace).text });
        for (const message of trace.messages) write('mail', { id: message.id, html: mailRow(message).text });
      }
      for (const [id, html] of this.#describe()) {
        if (sent.get(id) !== html) write('part', { id, html });
        sent.set(id, html);
      }
    };
    const change = (): void => {
      timer ??= setTimeout(flush, COLLECT_MS);
    };
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    response.write('retry: 1000\n\n');
    const stop = timeline.listen(change);
    this.#open.add(change);
    response.once('close', () => {
      clearTimeout(timer);
      stop();
      this.#open.delete(change);
    });
    change();
    return true;
  }

  #describe(): Map<string, string> {
    const { faults, clockOffsetSeconds } = this.#source;
    return new Map([
      ['clock', clockPart(clockOffsetSeconds()).text],
      ['faults', faultsPart(faults()).text],
    ]);
  }
}
