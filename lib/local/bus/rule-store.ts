import type { DatabaseSync } from 'node:sqlite';
import { account, AwsError, region } from '../aws-json.ts';
import { compilePattern } from './pattern.ts';
import type { EventMatcher } from './pattern.ts';

/** An event bus; times are epoch milliseconds. */
export interface Bus {
  name: string;
  description: string;
  created: number;
}

/** A rule of a bus. */
export interface Rule {
  bus: string;
  name: string;
  pattern: string;
  state: 'ENABLED' | 'DISABLED';
  description: string;
}

/** A target of a rule, in the form of PutTargets. */
export interface Target {
  Id: string;
  Arn: string;
  RoleArn?: string | undefined;
  RetryPolicy?:
    { MaximumRetryAttempts?: number | undefined; MaximumEventAgeInSeconds?: number | undefined } | undefined;
  DeadLetterConfig?: { Arn?: string | undefined } | undefined;
}

/** An enabled rule with its compiled pattern. */
export interface LiveRule {
  arn: string;
  matches: EventMatcher;
  targets: Target[];
}

/** The tables of buses, rules and targets. */
export const ruleTables = `
  CREATE TABLE IF NOT EXISTS buses (
    name TEXT PRIMARY KEY, description TEXT NOT NULL, created INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS rules (
    bus TEXT NOT NULL, name TEXT NOT NULL, pattern TEXT NOT NULL, state TEXT NOT NULL, description TEXT NOT NULL,
    PRIMARY KEY (bus, name)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS targets (
    bus TEXT NOT NULL, rule TEXT NOT NULL, id TEXT NOT NULL, target TEXT NOT NULL, PRIMARY KEY (bus, rule, id)
  ) STRICT;
`;

/** The bus that always exists. */
export const defaultBus = 'default';

const arnPrefix = `arn:aws:events:${region}:${account}:`;

/** The ARN of a bus. */
export const busArn = (name: string): string => `${arnPrefix}event-bus/${name}`;

/** The ARN of a rule; a rule of the default bus does not name the bus. */
export const ruleArn = ({ bus, name }: Pick<Rule, 'bus' | 'name'>): string =>
  `${arnPrefix}rule/${bus === defaultBus ? name : `${bus}/${name}`}`;

/** The name of a bus, from its name or ARN. */
export const busName = (reference: string = defaultBus): string =>
  reference.startsWith(busArn('')) ? reference.slice(busArn('').length) : reference;

/** Buses, rules and targets in SQLite, with the enabled rules compiled in memory. */
export class RuleStore {
  readonly #database: DatabaseSync;
  readonly #live = new Map<string, LiveRule[]>();

  /** @param now epoch milliseconds */
  constructor(database: DatabaseSync, now: () => number) {
    this.#database = database;
    database.prepare('INSERT OR IGNORE INTO buses VALUES (?, ?, ?)').run(defaultBus, '', now());
  }

  /** Every bus in order of its name. */
  buses(): Bus[] {
    return this.#database.prepare('SELECT * FROM buses ORDER BY name').all() as unknown as Bus[];
  }

  /** A bus by its name or ARN. @throws AwsError ResourceNotFoundException */
  bus(reference?: string): Bus {
    const name = busName(reference);
    const bus = this.#database.prepare('SELECT * FROM buses WHERE name = ?').get(name) as Bus | undefined;
    if (bus === undefined) throw new AwsError('ResourceNotFoundException', `Event bus ${name} does not exist.`);
    return bus;
  }

  /** @throws AwsError ResourceAlreadyExistsException */
  createBus(bus: Bus): void {
    if (this.buses().some(({ name }) => name === bus.name)) {
      throw new AwsError('ResourceAlreadyExistsException', `Event bus ${bus.name} already exists.`);
    }
    this.#database.prepare('INSERT INTO buses VALUES (?, ?, ?)').run(bus.name, bus.description, bus.created);
  }

  /** Removes a bus. A missing bus is no error. */
  deleteBus(name: string): void {
    this.#database.prepare('DELETE FROM buses WHERE name = ?').run(name);
  }

  /** The rules of a bus in order of their name. */
  rules(bus: string): Rule[] {
    return this.#database.prepare('SELECT * FROM rules WHERE bus = ? ORDER BY name').all(bus) as unknown as Rule[];
  }

  /** @throws AwsError ResourceNotFoundException */
  rule(bus: string, name: string): Rule {
    const rule = this.#database.prepare('SELECT * FROM rules WHERE bus = ? AND name = ?').get(bus, name);
    if (rule === undefined) {
      throw new AwsError('ResourceNotFoundException', `Rule ${name} does not exist on EventBus ${bus}.`);
    }
    return rule as unknown as Rule;
  }

  /** Writes a rule, replacing one of the same name; its targets stay. */
  putRule(rule: Rule): void {
    this.#live.delete(rule.bus);
    this.#database
      .prepare('INSERT OR REPLACE INTO rules VALUES (?, ?, ?, ?, ?)')
      .run(rule.bus, rule.name, rule.pattern, rule.state, rule.description);
  }

  /** Removes a rule. A missing rule is no error. */
  deleteRule(bus: string, name: string): void {
    this.#live.delete(bus);
    this.#database.prepare('DELETE FROM rules WHERE bus = ? AND name = ?').run(bus, name);
  }

  /** The targets of a rule in order of their id. */
  targets(bus: string, rule: string): Target[] {
    const rows = this.#database
      .prepare('SELECT target FROM targets WHERE bus = ? AND rule = ? ORDER BY id')
      .all(bus, rule);
    return rows.map(({ target }) => JSON.parse(String(target)) as Target);
  }

  /** Writes a target, replacing one of the same id. */
  putTarget(bus: string, rule: string, target: Target): void {
    this.#live.delete(bus);
    this.#database
      .prepare('INSERT OR REPLACE INTO targets VALUES (?, ?, ?, ?)')
      .run(bus, rule, target.Id, JSON.stringify(target));
  }

  /** Returns true if there was such a target. */
  removeTarget(bus: string, rule: string, id: string): boolean {
    this.#live.delete(bus);
    const sql = 'DELETE FROM targets WHERE bus = ? AND rule = ? AND id = ?';
    return this.#database.prepare(sql).run(bus, rule, id).changes > 0;
  }

  /** The enabled rules of a bus with their targets. */
  live(bus: string): LiveRule[] {
    let rules = this.#live.get(bus);
    if (rules === undefined) {
      rules = this.rules(bus)
        .filter(({ state }) => state === 'ENABLED')
        .map((rule) => ({
          arn: ruleArn(rule),
          matches: compilePattern(rule.pattern),
          targets: this.targets(bus, rule.name),
        }));
      this.#live.set(bus, rules);
    }
    return rules;
  }
}
