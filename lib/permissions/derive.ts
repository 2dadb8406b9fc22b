import ts from 'typescript';

import type { Access, AccessTable } from '../topology/access.ts';
import { readKind } from './kinds.ts';
import type { Declaration, Sources, Use } from './sources.ts';

/** Where a function begins: the export of a file. */
export interface Entry {
  file: string;
  export: string;
}

/** Members of collections, and of the objects that `pageSessions` and `offers` make, that only read. */
const READS = new Set(['get', 'getAt', 'getMany', 'list', 'select', 'existenceCheck', 'find', 'findLive', 'isOpen']);

/** The same of results: ElectroDB's entity, and a record that is made without its write. */
const READS_OF_RESULTS = new Set(['entity.query', 'entity.get', 'create.record', 'revise.record']);

const isRead = ({ member = '', passedTo = '' }: Use): boolean => {
  const [first = ''] = member.split('.');
  return READERS.has(passedTo) || READS.has(first) || READS_OF_RESULTS.has(member);
};

/** Functions that only read the rows of an entity that they get. */
const READERS = new Set(['findDue', 'forEachDue', 'collection']);

/** Functions that only stamp the day of a use in the rows of a collection that they get. */
const STAMPS = new Set(['stampDay']);

const WRITE_COMMANDS = /^(Put|Update|Delete|BatchWrite|TransactWrite)Command$/;

/** Declarations that send the writes that others composed of a collection. */
const CARRIERS = new Set([
  'functions/record/audit-logs/event/store.ts#storeEvent',
  'functions/kernel/limits/conditional.ts#remove',
  'functions/kernel/limits/conditional.ts#update',
  'functions/kernel/storage/batch.ts#writeBatch',
  'functions/kernel/storage/epoch.ts#listPlaces',
  'functions/kernel/storage/fence.ts#changeOne',
  'functions/kernel/storage/last-use.ts#stamp',
  'functions/kernel/storage/rehearsal.ts#rehearse',
  'functions/kernel/storage/returning.ts#deleteReturning',
  'functions/kernel/storage/returning.ts#updateReturning',
  'functions/kernel/storage/unit.ts#commitSingleWrite',
  'functions/kernel/storage/unit.ts#commitTogether',
  'functions/proofs/radar/profile/entity.ts#updateProfile',
]);

/** Carriers that other files call with the parameters of a write. */
const TAKERS = new Set([
  'functions/kernel/limits/conditional.ts#remove',
  'functions/kernel/limits/conditional.ts#update',
  'functions/kernel/storage/batch.ts#writeBatch',
  'functions/kernel/storage/returning.ts#deleteReturning',
  'functions/kernel/storage/returning.ts#updateReturning',
]);

/** Declarations that remove rows of any kind: all rows of an owner, by the index of owned rows. */
const ERASERS = new Set(['functions/kernel/storage/cascade.ts#removeRow']);

/** The declarations that write rows by their keys, without a collection: of the table of keys, and of audit log events in bulk. */
const KEY_WRITERS: Readonly<Record<string, string>> = {
  'functions/kernel/keys/organization-keys.ts#createOrganizationKey': 'organization-key',
  'functions/kernel/keys/organization-keys.ts#destruction': 'organization-key',
  'functions/kernel/keys/organization-keys.ts#nameOrganization': 'organization-keys',
  'functions/kernel/keys/organization-keys.ts#destroyOrganizationKeys': 'organization-keys',
  'functions/record/audit-logs/event/store.ts#removeRows': 'audit-event',
};
const KEY_KINDS = { 'organization-key': '#organization-key#*', 'organization-keys': '#organization-keys' };

/** The uses of rows and keys in a declaration itself. */
interface Own {
  writes: string[];
  stamps: string[];
  seals: string[];
  opens: string[];
  erases: boolean;
}

const idOf = ({ file, name }: Declaration): string => `${file}#${name}`;

/** Derives what functions write and decrypt from their sources. */
export class Derivation {
  readonly #sources: Sources;
  readonly #own = new Map<Declaration, Own>();
  readonly #kinds = new Map<string, string>();

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /**
   * Derives the access of all functions.
   * @throws Error for a write that belongs to no kind, and for keys that are not written as literals
   */
  derive(entries: Readonly<Record<string, Entry>>): AccessTable {
    const functions = Object.fromEntries(
      Object.entries(entries).map(([name, entry]) => [name, this.#accessOf(entry)] as const),
    );
    const used = new Set(Object.values(functions).flatMap(({ writes, stamps }) => [...writes, ...stamps]));
    const records = [...this.#kinds]
      .filter(([kind]) => used.has(kind))
      .sort(([one], [other]) => (one < other ? -1 : 1));
    return { keys: { records: Object.fromEntries(records), keys: KEY_KINDS }, functions };
  }

  /** The names from the entry of a function to the declaration that writes a kind or uses a purpose; undefined if none does. */
  explain(entry: Entry, name: string): string[] | undefined {
    const reached = this.#sources.reach(this.#start(entry));
    for (const [declaration] of reached) {
      const { writes, stamps, seals, opens } = this.#ownOf(declaration);
      if (![writes, stamps, seals, opens].some((all) => all.includes(name))) continue;
      const path: string[] = [];
      for (let at: Declaration | undefined = declaration; at !== undefined; at = reached.get(at))
        path.unshift(idOf(at));
      return path;
    }
    return undefined;
  }

  #start({ file, export: name }: Entry): Declaration {
    const start = this.#sources.find(file, name);
    if (start === undefined) throw new Error(`${file} does not export ${name}`);
    return start;
  }

  #accessOf(entry: Entry): Access {
    const all = [...this.#sources.reach(this.#start(entry)).keys()].map((each) => this.#ownOf(each));
    const collect = (name: 'writes' | 'stamps' | 'seals' | 'opens'): string[] =>
      [...new Set(all.flatMap((own) => own[name]))].sort();
    const writes = collect('writes');
    return {
      writes,
      stamps: collect('stamps').filter((kind) => !writes.includes(kind)),
      seals: collect('seals'),
      opens: collect('opens'),
      ...(all.some(({ erases }) => erases) ? { erases: true as const } : {}),
    };
  }

  #ownOf(declaration: Declaration): Own {
    const known = this.#own.get(declaration);
    if (known !== undefined) return known;
    const id = idOf(declaration);
    const own: Own = { writes: [], stamps: [], seals: [], opens: [], erases: ERASERS.has(id) };
    for (const use of this.#sources.listUses(declaration)) this.#addUse(declaration, use, own);
    addPurposes(declaration, readPurposes(declaration), own);
    const keyKind = KEY_WRITERS[id];
    if (keyKind !== undefined) own.writes.push(keyKind);
    const isKnown = CARRIERS.has(id) || ERASERS.has(id) || keyKind !== undefined;
    this.#own.set(declaration, own);
    const isUnbound = this.#passesWrites(declaration) && !this.#namesRows(declaration);
    if (!isKnown && (isUnbound || sendsWrites(declaration))) {
      throw new Error(`${id} sends a write to the table, but not by a collection: which kinds it writes is not known`);
    }
    return own;
  }

  /** Reports whether a declaration passes writes to one that sends them, for which it needs the keys of their rows. */
  #passesWrites(declaration: Declaration): boolean {
    return this.#sources.listUses(declaration).some(({ of }) => TAKERS.has(idOf(of)));
  }

  /** Reports whether a declaration writes rows of a kind, or uses a declaration that composes such a write. */
  #namesRows(declaration: Declaration): boolean {
    const composers = [declaration, ...this.#sources.listUses(declaration).map(({ of }) => of)];
    return composers.some((each) => this.#ownOf(each).writes.length > 0);
  }

  #addUse(declaration: Declaration, use: Use, own: Own): void {
    const { of, member, passedTo = '' } = use;
    if (!readCalls(of).isUse) addPurposes(declaration, readPurposes(of), own, member);
    const kind = readKind(this.#sources, of);
    if (kind === undefined) return;
    const { name, key } = kind;
    const former = this.#kinds.get(name);
    if (former !== undefined && former !== key) throw new Error(`The kind ${name} has the keys ${former} and ${key}`);
    this.#kinds.set(name, key);
    if (isRead(use)) return;
    (STAMPS.has(passedTo) ? own.stamps : own.writes).push(name);
  }
}

/**
 * Adds the purposes that a declaration names, or those of a scope that it uses: for what it calls, or for both if it passes the scope on.
 * @param member the member of the object that has the purpose, such as `open` of `signingSecrets(…)`
 */
function addPurposes(declaration: Declaration, purposes: readonly string[], own: Own, member?: string): void {
  const [called] = member?.split('.') ?? [];
  const { opens, seals, isUse } = called === undefined ? readCalls(declaration) : listCalls(new Set([called]));
  // The declaration of a scope does neither itself.
  if (!isUse && purposes.every((each) => readPurposes(declaration).includes(each))) return;
  if (opens || !isUse) own.opens.push(...purposes);
  if (seals || !isUse) own.seals.push(...purposes);
}

interface Calls {
  opens: boolean;
  seals: boolean;
  /** True if it does either. */
  isUse: boolean;
}

function listCalls(members: ReadonlySet<string>): Calls {
  const opens = members.has('open') || members.has('openText');
  const seals = members.has('seal');
  return { opens, seals, isUse: opens || seals };
}

/** The uses of envelopes in a declaration, by the names of the members that it reads of anything. */
function readCalls(declaration: Declaration): Calls {
  const names = new Set<string>();
  visitAll(declaration, (node) => {
    if (ts.isPropertyAccessExpression(node)) names.add(node.name.text);
  });
  return listCalls(names);
}

const purposesOf = new WeakMap<Declaration, string[]>();

/** The purposes that a declaration names: `keyPurpose('…')`. */
function readPurposes(declaration: Declaration): string[] {
  const known = purposesOf.get(declaration);
  if (known !== undefined) return known;
  const purposes: string[] = [];
  visitAll(declaration, (node) => {
    if (!ts.isCallExpression(node) || node.expression.getText() !== 'keyPurpose') return;
    const [name] = node.arguments;
    if (name === undefined || !ts.isStringLiteral(name)) {
      throw new Error(`${idOf(declaration)}: the purpose of a key is not written as a literal`);
    }
    purposes.push(name.text);
  });
  purposesOf.set(declaration, purposes);
  return purposes;
}

function sendsWrites(declaration: Declaration): boolean {
  let found = false;
  visitAll(declaration, (node) => {
    if (ts.isNewExpression(node) && WRITE_COMMANDS.test(node.expression.getText())) found = true;
  });
  return found;
}

function visitAll({ nodes }: Declaration, visit: (node: ts.Node) => void): void {
  const walk = (node: ts.Node): void => {
    visit(node);
    ts.forEachChild(node, walk);
  };
  nodes.forEach(walk);
}
