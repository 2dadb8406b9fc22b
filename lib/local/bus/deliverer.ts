import { type Database, type Statement, transaction } from '../database.ts';

/** An event as its targets receive it. */
export interface BusEvent {
  version: '0';
  id: string;
  'detail-type': string;
  source: string;
  account: string;
  /** The time (ISO 8601), exact to a second. */
  time: string;
  region: string;
  resources: string[];
  detail: Record<string, unknown>;
}

/**
 * Delivers one event to its target; a rejection is retried later. It must settle, because a hanging call keeps its slot.
 */
export type Deliver = (targetArn: string, event: BusEvent) => Promise<void>;

/** An event for the target of a rule. */
export interface NewDelivery {
  ruleArn: string;
  targetArn: string;
  event: BusEvent;
}

/** A delivery that failed finally; times are epoch milliseconds. */
export interface DeadLetter {
  ruleArn: string;
  targetArn: string;
  event: BusEvent;
  attempts: number;
  lastError: string;
  accepted: number;
  givenUp: number;
}

/** The tables of pending and failed deliveries. */
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

/** The limits of EventBridge: 185 retries within 24 hours. */
const maxRetries = 185;
const maxAgeSeconds = 86_400;
const firstDelayMs = 100;
const maxDelayMs = 30_000;
/** Concurrent calls to one target; targets do not wait for one another. */
const concurrency = 10;

interface Delivery {
  seq: number;
  targetArn: string;
  event: string;
  expiresAt: number;
  maxAttempts: number;
  attempts: number;
}

/** The running calls to one target, and the timer of its next retry. */
interface Lane {
  running: Set<number>;
  timer?: NodeJS.Timeout | undefined;
}

/**
 * Delivers accepted events to their targets, at least once, in no guaranteed order. The table is the queue: memory only
 * contains running calls, so after a restart or a clock change the table is read again.
 */
export class Deliverer {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #deliver: Deliver;
  readonly #lanes = new Map<string, Lane>();
  readonly #waiting = new Set<() => void>();
  readonly #statements = new Map<string, Statement>();
  #closed = false;

  /**
   * Creates a deliverer.
   * @param now returns epoch milliseconds
   */
  constructor(database: Database, now: () => number, deliver: Deliver) {
    this.#database = database;
    this.#now = now;
    this.#deliver = deliver;
  }

  /** Writes deliveries in one transaction and starts them right after the caller's turn. */
  accept(deliveries: NewDelivery[]): void {
    if (deliveries.length === 0) return;
    const now = this.#now();
    const insert = this.#prepare(
      `INSERT INTO deliveries (ruleArn, targetArn, event, accepted, dueAt, expiresAt, maxAttempts, attempts)
       VALUES (?, ?, ?, ?, ?, ?, ?, 0)`,
    );
    transaction(this.#database, () => {
      for (const { ruleArn, targetArn, event } of deliveries) {
        const expiresAt = now + maxAgeSeconds * 1000;
        insert.run(ruleArn, targetArn, JSON.stringify(event), now, now, expiresAt, 1 + maxRetries);
      }
    });
    const arns = new Set(deliveries.map(({ targetArn }) => targetArn));
    setImmediate(() => arns.forEach((arn) => this.#pump(arn)));
  }

  /** Starts deliveries that are due, after a restart and when the clock was moved. */
  wake(): void {
    // No retry is scheduled further ahead than the longest pause. One beyond it means that the clock was set back, so it is
    // due now.
    const now = this.#now();
    this.#prepare('UPDATE deliveries SET dueAt = ? WHERE dueAt > ?').run(now, now + maxDelayMs);
    const rows = this.#prepare('SELECT DISTINCT targetArn FROM deliveries').all();
    for (const { targetArn } of rows) this.#pump(String(targetArn));
  }

  /** The number of deliveries that are neither done nor failed. */
  pending(): number {
    return Number(this.#prepare('SELECT count(*) AS n FROM deliveries').get()?.n);
  }

  /** Reports whether nothing is pending within `timeoutMs` (of real time). */
  async idle(timeoutMs: number): Promise<boolean> {
    const deadline = performance.now() + timeoutMs;
    while (!this.#closed && (this.pending() > 0 || this.#busy())) {
      const left = deadline - performance.now();
      if (left <= 0) return false;
      await this.#settled(left);
    }
    return !this.#closed;
  }

  /** The failed deliveries, oldest first. */
  deadLetters(): DeadLetter[] {
    const rows = this.#prepare('SELECT * FROM deadLetters ORDER BY seq').all();
    return rows.map(
      ({ seq: _, event, ...row }) => ({ ...row, event: JSON.parse(String(event)) as BusEvent }) as DeadLetter,
    );
  }

  /** Deletes every delivery; a running call ends, and its result is not recorded. */
  reset(): void {
    this.#database.exec('DELETE FROM deliveries; DELETE FROM deadLetters;');
  }

  /** Starts nothing more and waits up to `drainMs` for running calls; the others are retried at the next start. */
  async close(drainMs: number): Promise<void> {
    this.#closed = true;
    for (const { timer } of this.#lanes.values()) clearTimeout(timer);
    const deadline = performance.now() + drainMs;
    while (this.#busy() && performance.now() < deadline) await this.#settled(deadline - performance.now());
  }

  #busy(): boolean {
    return [...this.#lanes.values()].some(({ running }) => running.size > 0);
  }

  /** Resolves when any call ends, or after `atMostMs`. */
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

  /** Prepares each statement once, which took longer than to run it. */
  #prepare(sql: string): Statement {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #pump(targetArn: string): void {
    if (this.#closed) return;
    let lane = this.#lanes.get(targetArn);
    if (lane === undefined) this.#lanes.set(targetArn, (lane = { running: new Set() }));
    const { running } = lane;
    if (running.size >= concurrency) return;
    // Both queries use the same time, because a delivery that became due between two readings would neither run nor be
    // awaited.
    const now = this.#now();
    // Running deliveries are still due in the table, so one read of this length always finds any other.
    const due = this.#prepare(
      'SELECT seq FROM deliveries WHERE targetArn = ? AND dueAt <= ? ORDER BY dueAt, seq LIMIT ?',
    ).all(targetArn, now, concurrency + running.size);
    for (const { seq } of due) {
      if (running.size >= concurrency) break;
      if (!running.has(Number(seq))) void this.#attempt(Number(seq), lane, targetArn);
    }
    if (running.size < concurrency) this.#schedule(targetArn, lane, now);
  }

  /** Sets the target's timer to its next retry; due deliveries are running already. */
  #schedule(targetArn: string, lane: Lane, now: number): void {
    clearTimeout(lane.timer);
    const sql = 'SELECT min(dueAt) AS dueAt FROM deliveries WHERE targetArn = ? AND dueAt > ?';
    const dueAt = this.#prepare(sql).get(targetArn, now)?.dueAt;
    if (typeof dueAt !== 'number') return;
    lane.timer = setTimeout(() => this.#pump(targetArn), Math.min(dueAt - now, maxDelayMs));
    lane.timer.unref();
  }

  async #attempt(seq: number, lane: Lane, targetArn: string): Promise<void> {
    const row = this.#prepare('SELECT * FROM deliveries WHERE seq = ?').get(seq) as Delivery | undefined;
    if (row === undefined) return;
    lane.running.add(seq);
    let failure: string | undefined;
    try {
      await this.#deliver(targetArn, JSON.parse(row.event) as BusEvent);
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
    }
    if (this.#database.isOpen) {
      if (failure === undefined) this.#prepare('DELETE FROM deliveries WHERE seq = ?').run(seq);
      else this.#failed(row, failure);
    }
    // In a lane that was not full, all that is due runs already.
    const isNext = lane.running.size >= concurrency || failure !== undefined;
    lane.running.delete(seq);
    if (isNext) this.#pump(targetArn);
    for (const wake of [...this.#waiting]) wake();
  }

  #failed(row: Delivery, error: string): void {
    const attempts = row.attempts + 1;
    const now = this.#now();
    if (attempts < row.maxAttempts && now < row.expiresAt) {
      const dueAt = now + Math.min(maxDelayMs, firstDelayMs * 2 ** (attempts - 1));
      this.#prepare('UPDATE deliveries SET attempts = ?, dueAt = ? WHERE seq = ?').run(attempts, dueAt, row.seq);
      return;
    }
    transaction(this.#database, () => {
      this.#prepare(
        `INSERT INTO deadLetters (seq, ruleArn, targetArn, event, accepted, attempts, lastError, givenUp)
           SELECT seq, ruleArn, targetArn, event, accepted, ?, ?, ? FROM deliveries WHERE seq = ?`,
      ).run(attempts, error, now, row.seq);
      this.#prepare('DELETE FROM deliveries WHERE seq = ?').run(row.seq);
    });
  }
}
