import { limits } from './limits.ts';
import { RESERVED_WORDS } from './reserved-words.ts';
import { invalid } from './values.ts';

/** A document path: names of attributes (or `#` placeholders for them) and indexes of lists. */
export type Path = readonly (string | number)[];

const TOKEN = /\s*(?:([#:]\w+|[A-Za-z]\w*|\d+)|(<>|<=|>=|[=<>(),.[\]+-]))/y;

/** Reads an expression token by token, and notes the placeholders that it uses. */
export class Tokens {
  readonly names = new Set<string>();
  readonly values = new Set<string>();
  readonly #kind: string;
  readonly #tokens: string[] = [];
  #at = 0;
  #operators = 0;

  /** @param kind the parameter that contains the expression, which messages name */
  constructor(text: string, kind: string) {
    this.#kind = kind;
    const size = Buffer.byteLength(text);
    if (size > limits.expressionBytes) {
      throw this.invalid(`Expression size has exceeded the maximum allowed size; expression size: ${size}`);
    }
    TOKEN.lastIndex = 0;
    let end = 0;
    for (let found = TOKEN.exec(text); found !== null; found = TOKEN.exec(text)) {
      this.#tokens.push(found[1] ?? found[2] ?? '');
      end = TOKEN.lastIndex;
    }
    if (text.slice(end).trim() !== '') throw this.error(text.slice(end).trim().charAt(0));
    if (this.#tokens.length === 0) throw this.invalid('The expression can not be empty;');
  }

  /** The next token; undefined at the end. */
  peek(offset = 0): string | undefined {
    return this.#tokens[this.#at + offset];
  }

  /** Reads a keyword in any case, or a symbol, if it is next. */
  take(wanted: string): boolean {
    if (this.peek()?.toUpperCase() !== wanted) return false;
    this.#at += 1;
    return true;
  }

  /** Reads an operator or the name of a function in any case, if it is next, and counts it. */
  takeOperator(wanted: string): boolean {
    if (!this.take(wanted)) return false;
    this.#operators += 1;
    return true;
  }

  /** Checks at the end of an expression that it has no further token, and not too many operators. @throws TableError */
  end(): void {
    if (this.peek() !== undefined) throw this.error();
    if (this.#operators > limits.operators) {
      throw this.invalid(`The expression contains too many operators; operator count: ${this.#operators}`);
    }
  }

  /** Reads a keyword or a symbol. @throws TableError if another token is next */
  expect(wanted: string): void {
    if (!this.take(wanted)) throw this.error();
  }

  /** Reads any token. */
  next(): string {
    const token = this.peek();
    if (token === undefined) throw this.error();
    this.#at += 1;
    return token;
  }

  /** Reads the placeholder of a value, if it is next. */
  value(): string | undefined {
    const token = this.peek();
    if (token?.startsWith(':') !== true) return undefined;
    this.#at += 1;
    this.values.add(token);
    return token;
  }

  /** Reads a document path. */
  path(): Path {
    const path: (string | number)[] = [this.#name()];
    for (;;) {
      if (this.take('.')) path.push(this.#name());
      else if (this.take('[')) {
        const index = this.next();
        if (!/^\d+$/.test(index)) throw this.error(index);
        path.push(Number(index));
        this.expect(']');
      } else return path;
    }
  }

  #name(): string {
    const token = this.next();
    if (token.startsWith('#')) this.names.add(token);
    else if (!/^[A-Za-z]/.test(token)) throw this.error(token);
    else if (RESERVED_WORDS.has(token.toUpperCase())) {
      throw this.invalid(`Attribute name is a reserved keyword; reserved keyword: ${token}`);
    }
    return token;
  }

  /** The error for a token at which the expression cannot be read. */
  error(token = this.peek() ?? '<EOF>'): Error {
    const near = this.#tokens.slice(Math.max(0, this.#at - 1), this.#at + 2).join(' ');
    return this.invalid(`Syntax error; token: "${token}", near: "${near}"`);
  }

  /** The error for the expression. */
  invalid(reason: string): Error {
    return invalid(`Invalid ${this.#kind}: ${reason}`);
  }
}
