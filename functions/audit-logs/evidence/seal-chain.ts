import type { Findings } from './findings.ts';
import type { PortionEnd } from './proof.ts';
import { type ExportStatement, hashOfText, isSignedBy, SealStatement, type Signed } from './statement.ts';

/** A segment as the proof introduces it. */
interface Portion {
  portion: string;
  seal?: Signed | undefined;
  skipped?: boolean | undefined;
}

/** Follows the seals of an export: each signed, each naming the one before it, each with the root of its leaves. */
export class SealChain {
  readonly #publicKey: string;
  readonly #whole: ExportStatement | undefined;
  readonly #findings: Findings;
  #current: { seal: SealStatement | undefined; skipped: boolean } | undefined;
  #last: { segment: number; hash: string } | undefined;
  #isOpen = false;

  constructor(publicKey: string, whole: ExportStatement | undefined, findings: Findings) {
    this.#publicKey = publicKey;
    this.#whole = whole;
    this.#findings = findings;
  }

  start({ portion, seal, skipped = false }: Portion): void {
    if (seal === undefined) {
      this.#isOpen = true;
      this.#current = { seal: undefined, skipped };
      return;
    }
    // What was still open when the export was made comes after everything that was sealed.
    if (this.#isOpen) this.#findings.add('proof', `Segment ${portion} comes after an open one.`);
    this.#current = { seal: this.#checked(portion, seal), skipped };
  }

  end({ end: name, size, root }: PortionEnd, isEmpty: boolean): void {
    const { seal, skipped = false } = this.#current ?? {};
    this.#current = undefined;
    if (seal === undefined) return;
    if (skipped) this.#checkSkipped(name, seal, isEmpty);
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
    const whole = this.#whole;
    return (
      whole === undefined || (whole.environment_id === environment_id && whole.organization_id === organization_id)
    );
  }

  /** A segment may be left out only when nothing in it lies in the range. */
  #checkSkipped(name: string, seal: SealStatement, isEmpty: boolean): void {
    const whole = this.#whole;
    if (!isEmpty || whole === undefined) return;
    if (seal.occurred_to >= whole.range_start && seal.occurred_from < whole.range_end) {
      this.#findings.add('removed', `Segment ${name} was left out, though events in it may lie in the range.`);
    }
  }
}
