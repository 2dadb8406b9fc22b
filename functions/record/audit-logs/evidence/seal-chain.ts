import type { Findings } from './findings.ts';
import type { PortionEnd } from './proof.ts';
import { type ExportStatement, hashOfText, isSignedBy, SealStatement, type Signed } from './statement.ts';

/** The description of a segment in a proof, before its leaves. */
interface Portion {
  portion: string;
  seal?: Signed | undefined;
  skipped?: boolean | undefined;
}

/** The scope of an export. */
type Scope = Pick<ExportStatement, 'environment_id' | 'organization_id' | 'range_start' | 'range_end'>;

/** The segment that is being verified. */
interface Current {
  /** The text of its seal, and its statement if the signature is valid. */
  text: string | undefined;
  seal: SealStatement | undefined;
  skipped: boolean;
}

/**
 * Reports whether a portion is an hour that was not sealed when it was exported. Every other portion is a segment, which
 * has a seal.
 */
const isOpenHour = (name: string): boolean => name.startsWith('open:');

/**
 * Verifies the seals of an export: each is signed, names the previous one, and has the root of its leaves. The service uses
 * it to verify its segments before it signs an export, and a reader uses it to verify the export.
 */
export class SealChain {
  readonly #publicKey: string;
  readonly #scope: Scope | undefined;
  readonly #findings: Findings;
  #current: Current | undefined;
  #last: { segment: number; hash: string } | undefined;
  #isOpen = false;

  /** @param scope the expected scope; undefined if it is not known, and then no seal is compared with it */
  constructor(publicKey: string, scope: Scope | undefined, findings: Findings) {
    this.#publicKey = publicKey;
    this.#scope = scope;
    this.#findings = findings;
  }

  start({ portion, seal, skipped = false }: Portion): void {
    const text = seal?.statement;
    if (isOpenHour(portion) && seal === undefined) {
      this.#isOpen = true;
      this.#current = { text, seal: undefined, skipped };
      return;
    }
    // Hours that were not sealed when the export was made follow all sealed ones.
    if (this.#isOpen) this.#findings.add('proof', `Segment ${portion} comes after an open one.`);
    if (seal === undefined) this.#findings.add('proof', `Segment ${portion}: its seal is missing.`);
    this.#current = { text, seal: seal && this.#checked(portion, seal), skipped };
  }

  end({ end: name, size, root, seal: sealHash }: PortionEnd, isEmpty: boolean): void {
    const { text, seal, skipped = false } = this.#current ?? {};
    this.#current = undefined;
    if (skipped && !isEmpty) this.#findings.add('proof', `Segment ${name} passes as left out, but has events.`);
    if (text !== undefined && sealHash !== undefined && hashOfText(text) !== sealHash) {
      this.#findings.add('proof', `Segment ${name}: its seal is not the one that the export was made with.`);
    }
    if (seal === undefined) return;
    if (skipped && isEmpty) this.#checkSkipped(name, seal);
    else if (seal.size !== size || seal.root !== root) {
      this.#findings.add(
        'proof',
        `Segment ${name}: its events are not those that were sealed with ${seal.size} leaves.`,
      );
    }
  }

  #checked(name: string, signed: Signed): SealStatement | undefined {
    if (!isSignedBy(this.#publicKey, signed)) {
      this.#findings.add('proof', `Segment ${name}: its seal is not signed by this key.`);
      return undefined;
    }
    const { data: seal } = SealStatement.safeParse(JSON.parse(signed.statement));
    if (seal === undefined || String(seal.segment) !== name || !this.#belongs(seal)) {
      this.#findings.add('proof', `Segment ${name}: its seal speaks of another one.`);
      return undefined;
    }
    const last = this.#last;
    this.#last = { segment: seal.segment, hash: hashOfText(signed.statement) };
    if (last !== undefined && seal.segment !== last.segment + 1) {
      const missing = seal.segment - last.segment - 1;
      this.#findings.add(
        'proof',
        missing > 0
          ? `Segment ${name} follows segment ${last.segment}: ${missing} between them are missing.`
          : `Segment ${name} follows segment ${last.segment}: they are out of order.`,
      );
    } else if (last !== undefined && seal.previous !== last.hash) {
      this.#findings.add('proof', `Segment ${name} does not follow from segment ${last.segment}: the chain is broken.`);
    }
    return seal;
  }

  #belongs({ environment_id, organization_id }: SealStatement): boolean {
    const scope = this.#scope;
    return (
      scope === undefined || (scope.environment_id === environment_id && scope.organization_id === organization_id)
    );
  }

  /** Checks that no part of a segment is in the range: only then may it be left out. */
  #checkSkipped(name: string, seal: SealStatement): void {
    const scope = this.#scope;
    if (scope === undefined) return;
    if (seal.occurred_to >= scope.range_start && seal.occurred_from < scope.range_end) {
      this.#findings.add('removed', `Segment ${name} was left out, though events in it may lie in the range.`);
    }
  }
}
