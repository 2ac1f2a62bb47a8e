/** What can be wrong with the files and values that `beacon.tls` names. */
export type TlsSettingProblem =
  | 'missing'
  | 'unreadable'
  | 'notCertificates'
  | 'notKey'
  | 'notPfx'
  | 'keyDoesNotMatch'
  | 'keyAlone'
  | 'passphraseMissing'
  | 'passphraseWrong'
  | 'notFingerprint';

/** The setting `beacon.tls` of an instance cannot be used as it is; no request is sent. */
export class TlsSettingError extends Error {
  override readonly name = 'TlsSettingError';
  readonly problem: TlsSettingProblem;
  readonly instance: string;
  /** The path as it is set, or the value that is no fingerprint. */
  readonly file: string;

  constructor(problem: TlsSettingProblem, instance: string, file: string) {
    super(`beacon.tls of ${instance}: ${problem} (${file})`);
    this.problem = problem;
    this.instance = instance;
    this.file = file;
  }
}
