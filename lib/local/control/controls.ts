import type * as z from 'zod';

import type { IdpHost } from '../idp/identity-provider.ts';
import type { NewFeedback } from '../messages/feedback.ts';
import type { CapturedMessage } from '../messages/outbox.ts';
import type { FunctionCounters, KeyCounters } from '../proxy/counters.ts';
import type { Fault, NewFault } from '../proxy/faults.ts';
import type { PendingMessages } from '../queues.ts';
import type { Timeline } from '../timeline/timeline.ts';
import type { TracedEvent } from '../timeline/trace.ts';

/** The work that is still pending in the local service. */
export interface Idleness {
  idle: boolean;
  /** Functions that are running. */
  running: number;
  /** True if streams are read to their end, and no function of a schedule or queue is running. */
  sources: boolean;
  /** Deliveries of the bus that are running or wait for a retry. */
  bus: number;
  queues: PendingMessages;
  /** True if stale lists, if enabled, have caught up. */
  lists: boolean;
  /** True if GET /events shows every committed event: the last write is older than the settled horizon. */
  events: boolean;
  /** Functions that have made writes after their response since the last reset, each with the operation; never idle again. */
  late: readonly string[];
}

/** The actions behind `/_local`. */
export interface Controls {
  messages: (to: string | undefined) => CapturedMessage[];
  findMessage: (id: string) => CapturedMessage | undefined;
  /** Calls a listener for each captured message, until the returned function is called. */
  onMessage: (listener: (message: CapturedMessage) => void) => () => void;
  /**
   * Reports a bounce or complaint about a captured mail.
   * @returns false if no such mail was captured
   */
  report: (feedback: z.output<typeof NewFeedback>) => Promise<boolean>;
  /** Returns the local time (ISO 8601). */
  time: () => string;
  /** Seconds by which the local time is ahead of the machine's. */
  clockOffsetSeconds: () => number;
  advance: (seconds: number) => Promise<void>;
  returnToRealTime: () => Promise<void>;
  /** @param faults those that are active afterwards @returns the calls that policies denied since the last reset */
  reset: (faults: readonly z.output<typeof NewFault>[]) => Promise<string[]>;
  addFault: (fault: z.output<typeof NewFault>) => Promise<Fault>;
  faults: () => readonly Fault[];
  clearFaults: (id: string | undefined) => Promise<boolean>;
  idleness: () => Idleness;
  /** The variables with which a process on this machine reaches the engines of the functions. */
  variables: () => Record<string, string>;
  counters: () => Record<string, FunctionCounters>;
  keyCounters: () => readonly KeyCounters[];
  clearCounters: () => void;
  timeline: Timeline;
  /** The newest events in the table. */
  storedEvents: () => Promise<TracedEvent[]>;
  /** The address under which browsers find the service, and the one for programs on this machine. */
  url: string;
  localUrl: string;
  /** Makes a link that signs a browser in to the console as the local owner. @returns its path */
  consoleLink: () => Promise<string>;
  apiKey: string;
  clientId: string;
  environmentId: string;
  /** The test identity provider. */
  identityProvider: IdpHost;
}
