import { transitions } from "#kit/transitions.ts";

/**
 * States of a file of labels: to be asked for, asked for at the carrier, ready, refused, or deleted because its time was over.
 * The carrier may lose a file that it was asked for.
 */
export const labelStates = transitions({
  waiting: { ask: "asked", refuse: "failed" },
  asked: { receive: "ready", lose: "waiting", refuse: "failed" },
  ready: { expire: "expired" },
  failed: {},
  expired: {},
});
export type LabelState = keyof typeof labelStates;

/** Labels of one parcel, or of several in one PDF, without the bytes. */
export type LabelFile = {
  id: number;
  orderIds: string[];
  state: LabelState;
  /** Why there is no label: the state of a parcel, or the carrier's code. */
  fault: string | null;
  readyAt: Date | null;
  /** When the bytes of a ready file are deleted. */
  expiresAt: Date | null;
};

export type LabelError =
  | { code: "label.no_parcel" }
  /** More parcels than the carrier prints at once. */
  | { code: "label.too_many"; limit: number };
