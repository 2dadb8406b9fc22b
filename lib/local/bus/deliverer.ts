import type { DatabaseSync } from 'node:sqlite';
import { transaction } from '../database.ts';
import type { Target } from './rule-store.ts';

/** An event as its targets receive it. */
export interface BusEvent {
  version: '0';
  id: string;
  'detail-type': string;
  source: string;
  account: string;
  /** ISO 8601, to the second. */
  time: string;
  region: string;
  resources: string[];
  detail: Record<string, unknown>;
}

/** Hands one event to its target; a rejection is tried again later. It must settle: a call that hangs keeps its place. */
export type Deliver = (targetArn: string, event: BusEvent) => Promise<void>;

/** An event for one target of one rule. */
export interface NewDelivery {
  ruleArn: string;
  target: Target;
  event: BusEvent;
}

/** A delivery that was given up; times are epoch milliseconds. */
export interface DeadLetter {
  ruleArn: string;
  targetArn: string;
  event: BusEvent;
  attempts: number;
  lastError: string;
  accepted: number;
  givenUp: number;
}

/** The tables of deliveries under way and given up. */
export const deliveryTables = `
  CREATE TABLE IF NOT EXISTS deliveries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, ruleArn TEXT NOT NULL, targetArn TEXT NOT NULL, event TEXT NOT NULL,
    accepted INTEGER NOT NULL, dueAt INTEGER NOT NULL, expiresAt INTEGER NOT NULL, maxAttempts INTEGER NOT NULL,
    attempts INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS deliveries_due ON deliveries (targetArn, dueAt, seq);
  CREATE TABLE IF NOT EXISTS deadLetters (
    seq INTEGER PRIMARY KEY, ruleArn TEXT NOT NULL, targetArn TEXT NOT NULL, event TEXT NOT NULL,
    accepted INTEGER NOT NULL, attempts INTEGER NOT NULL, lastError TEXT NOT NULL, givenUp INTEGER NOT NULL
  ) STRICT;
`;

/** EventBridge's own bounds: 185 retries within 24 hours. */
const maxRetries = 185;
const maxAgeSeconds = 86_400;
const firstDelayMs = 100;
const maxDelayMs = 30_000;
/** Calls to one target at a time; targets do not wait for one another. */
const concurrency = 10;

interface Delivery {
  seq: number;
  targetArn: string;
  event: string;
  expiresAt: number;
  maxAttempts: number;
  attempts: number;
}

/** The calls under way to one target, and the timer of its next retry. */
interface Lane {
  running: Set<number>;
  timer?: NodeJS.Timeout | undefined;
}

/**
 * Carries accepted events to their targets, at least once, in no promised order. The table is the queue: memory holds
 * only what is under way, so a restart or a clock advance resumes by asking the table again.
 */
export class Deliverer {
  readonly #database: DatabaseSync;
  readonly #now: () => number;
  readonly #deliver: Deliver;
  readonly #lanes = new Map<string, Lane>();
  readonly #waiting = new Set<() => void>();
  #closed = false;

  /** @param now epoch milliseconds */
  constructor(database: DatabaseSync, now: () => number, deliver: Deliver) {
    this.#database = database;
    this.#now = now;
    this.#deliver = deliver;
  }

  /** Writes deliveries in one transaction and starts them right after the caller's turn. */
  accept(deliveries: NewDelivery[]): void {
    if (deliveries.length === 0) return;
    const now = this.#now();
    const insert = this.#database.prepare(
      `INSERT INTO deliveries (ruleArn, targetArn, event, accepted, dueAt, expiresAt, maxAttempts, attempts)
       VALUES (?, ?, ?, ?, ?, ?, ?, 0)`,
    );
    transaction(this.#database, () => {
      for (const { ruleArn, target, event } of deliveries) {
        const age = target.RetryPolicy?.MaximumEventAgeInSeconds ?? maxAgeSeconds;
        const attempts = 1 + (target.RetryPolicy?.MaximumRetryAttempts ?? maxRetries);
        insert.run(ruleArn, target.Arn, JSON.stringify(event), now, now, now + age * 1000, attempts);
      }
    });
    const arns = new Set(deliveries.map(({ target }) => target.Arn));
    setImmediate(() => arns.forEach((arn) => this.#pump(arn)));
  }

  /** Starts what is due: after a restart, and when the clock was moved. */
  wake(): void {
    // No retry is set further ahead than the longest pause: beyond it, the clock was set back, and nobody should wait for it.
    const now = this.#now();
    this.#database.prepare('UPDATE deliveries SET dueAt = ? WHERE dueAt > ?').run(now, now + maxDelayMs);
    const rows = this.#database.prepare('SELECT DISTINCT targetArn FROM deliveries').all();
    for (const { targetArn } of rows) this.#pump(String(targetArn));
  }

  /** Deliveries that are neither done nor given up. */
  pending(): number {
    return Number(this.#database.prepare('SELECT count(*) AS n FROM deliveries').get()?.n);
  }

  /** Whether nothing is pending within `timeoutMs` (of real time). */
  async idle(timeoutMs: number): Promise<boolean> {
    const deadline = performance.now() + timeoutMs;
    while (!this.#closed && (this.pending() > 0 || this.#busy())) {
      const left = deadline - performance.now();
      if (left <= 0) return false;
      await this.#settled(left);
    }
    return !this.#closed;
  }

  /** What was given up, oldest first. */
  deadLetters(): DeadLetter[] {
    const rows = this.#database.prepare('SELECT * FROM deadLetters ORDER BY seq').all();
    return rows.map(
      ({ seq: _, event, ...row }) => ({ ...row, event: JSON.parse(String(event)) as BusEvent }) as DeadLetter,
    );
  }

  /** Forgets every delivery; a call under way runs to its end, and its outcome is not recorded. */
  reset(): void {
    this.#database.exec('DELETE FROM deliveries; DELETE FROM deadLetters;');
  }

  /** Starts nothing more and waits up to `drainMs` for calls under way; what they leave behind is tried again at the next start. */
  async close(drainMs: number): Promise<void> {
    this.#closed = true;
    for (const { timer } of this.#lanes.values()) clearTimeout(timer);
    const deadline = performance.now() + drainMs;
    while (this.#busy() && performance.now() < deadline) await this.#settled(deadline - performance.now());
  }

  #busy(): boolean {
    return [...this.#lanes.values()].some(({ running }) => running.size > 0);
  }

  /** Resolves when some call ends, or after `atMostMs`. */
  #settled(atMostMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, atMostMs);
      this.#waiting.add(done);
    });
  }

  #pump(targetArn: string): void {
    if (this.#closed) return;
    let lane = this.#lanes.get(targetArn);
    if (lane === undefined) this.#lanes.set(targetArn, (lane = { running: new Set() }));
    const { running } = lane;
    if (running.size >= concurrency) return;
    // One time for both questions: what became due between two readings would be neither run nor waited for.
    const now = this.#now();
    // What is running is still due in the table, so one read of this length always finds what is not.
    const due = this.#database
      .prepare('SELECT seq FROM deliveries WHERE targetArn = ? AND dueAt <= ? ORDER BY dueAt, seq LIMIT ?')
      .all(targetArn, now, concurrency + running.size);
    for (const { seq } of due) {
      if (running.size >= concurrency) break;
      if (!running.has(Number(seq))) void this.#attempt(Number(seq), lane, targetArn);
    }
    if (running.size < concurrency) this.#schedule(targetArn, lane, now);
  }

  /** Sets the lane's timer to its next retry; what is due already is running. */
  #schedule(targetArn: string, lane: Lane, now: number): void {
    clearTimeout(lane.timer);
    const sql = 'SELECT min(dueAt) AS dueAt FROM deliveries WHERE targetArn = ? AND dueAt > ?';
    const dueAt = this.#database.prepare(sql).get(targetArn, now)?.dueAt;
    if (typeof dueAt !== 'number') return;
    lane.timer = setTimeout(() => this.#pump(targetArn), Math.min(dueAt - now, maxDelayMs));
    lane.timer.unref();
  }

  async #attempt(seq: number, lane: Lane, targetArn: string): Promise<void> {
    const row = this.#database.prepare('SELECT * FROM deliveries WHERE seq = ?').get(seq) as Delivery | undefined;
    if (row === undefined) return;
    lane.running.add(seq);
    let failure: string | undefined;
    try {
      await this.#deliver(targetArn, JSON.parse(row.event) as BusEvent);
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
    }
    if (this.#database.isOpen) {
      if (failure === undefined) this.#database.prepare('DELETE FROM deliveries WHERE seq = ?').run(seq);
      else this.#failed(row, failure);
    }
    lane.running.delete(seq);
    this.#pump(targetArn);
    for (const wake of [...this.#waiting]) wake();
  }

  #failed(row: Delivery, error: string): void {
    const attempts = row.attempts + 1;
    const now = this.#now();
    if (attempts < row.maxAttempts && now < row.expiresAt) {
      const dueAt = now + Math.min(maxDelayMs, firstDelayMs * 2 ** (attempts - 1));
      this.#database
        .prepare('UPDATE deliveries SET attempts = ?, dueAt = ? WHERE seq = ?')
        .run(attempts, dueAt, row.seq);
      return;
    }
    transaction(this.#database, () => {
      this.#database
        .prepare(
          `INSERT INTO deadLetters (seq, ruleArn, targetArn, event, accepted, attempts, lastError, givenUp)
           SELECT seq, ruleArn, targetArn, event, accepted, ?, ?, ? FROM deliveries WHERE seq = ?`,
        )
        .run(attempts, error, now, row.seq);
      this.#database.prepare('DELETE FROM deliveries WHERE seq = ?').run(row.seq);
    });
  }
}
