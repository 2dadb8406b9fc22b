/** The types of a package that has none of its own. Both functions call back: decrypt before it returns, encrypt later. */
declare module 'xml-encryption' {
  interface DecryptOptions {
    key: string;
    /** False allows AES-CBC, about which the caller has decided before. */
    disallowDecryptionWithInsecureAlgorithm: boolean;
    warnInsecureAlgorithm: boolean;
  }
  interface EncryptOptions {
    rsa_pub: string;
    pem: string;
    encryptionAlgorithm: string;
    keyEncryptionAlgorithm: string;
    keyEncryptionDigest?: string;
    disallowEncryptionWithInsecureAlgorithm?: boolean;
    warnInsecureAlgorithm?: boolean;
  }
  type Callback = (error: Error | null, text?: string) => void;
  const xmlEncryption: {
    decrypt: (xml: string | Element, options: DecryptOptions, callback: Callback) => void;
    encrypt: (text: string, options: EncryptOptions, callback: Callback) => void;
  };
  export default xmlEncryption;
}
