import { createServer, type AddressInfo, type Socket } from "node:net";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";
import { slowAnswerMs, type FaultMode } from "#integrations/faults.ts";
import { readLetter, type ReadLetter } from "./wire.ts";

export type SimulatedLetter = {
  at: Date;
  to: string;
  text: string;
  html: string;
  subject: string;
  messageId: string;
  unsubscribe: string;
  attachments: ReadLetter["attachments"];
};
export type SmtpSimulator = Awaited<ReturnType<typeof startSmtpSimulator>>;

/** Bounds the inbox of a demo that runs for weeks. */
const maxLetters = 5_000;

/**
 * An SMTP server on loopback that delivers into a list. `text` of a letter is its subject, an empty line, its body and the names of its
 * attachments. Faults: `error`, `unauthorized` and `too_many` refuse clients, `garbage` and similar modes send an invalid greeting, `slow`
 * greets late. `refuseWith(451)` greylists every recipient, `refuseWith(550)` refuses all, `refuseSender(true)` refuses the shop's own
 * mailbox, `loseAnswers(true)` accepts letters and closes the connection before it confirms them.
 */
export async function startSmtpSimulator(options: { port?: number; now: () => Date }) {
  const inbox: SimulatedLetter[] = [];
  const sockets = new Set<Socket>();
  let fault: FaultMode = "ok";
  let refusal: 451 | 550 | null = null;
  let refusesSender = false;
  let losesAnswers = false;

  async function deliver(stream: SMTPServerDataStream, session: SMTPServerSession, answer: (error: Error | null) => void): Promise<void> {
    let raw: string;
    try {
      raw = await readAll(stream);
    } catch (error) {
      return answer(error instanceof Error ? error : new Error("the letter broke off"));
    }
    const { messageId, subject, text, html, unsubscribe, attachments } = readLetter(raw);
    const fullText = [subject, text, ...attachments.map(({ name }) => `[вложение: ${name}]`)].join("\n\n");
    for (const { address } of session.envelope.rcptTo)
      inbox.push({ at: options.now(), to: address, subject, messageId, unsubscribe, attachments, text: fullText, html });
    inbox.splice(0, Math.max(0, inbox.length - maxLetters));
    if (!losesAnswers) return answer(null);
    for (const socket of sockets) socket.destroy();
  }

  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    logger: false,
    size: 10 * 1024 * 1024,
    onMailFrom(_address, _session, callback) {
      callback(refusesSender ? Object.assign(new Error("Sender address rejected: not owned by auth user"), { responseCode: 553 }) : null);
    },
    onRcptTo(_address, _session, callback) {
      callback(
        refusal === null
          ? null
          : Object.assign(new Error(refusal === 550 ? "No such mailbox" : "Greylisted, try later"), { responseCode: refusal }),
      );
    },
    onData(stream, session, callback) {
      void deliver(stream, session, callback);
    },
  });
  smtp.on("error", () => {}); // a client that disconnected; no other client is affected

  const front = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
    if (fault === "timeout") return;
    if (fault === "reset") socket.resetAndDestroy();
    else if (fault === "error") socket.end("421 4.3.2 Service not available\r\n");
    else if (fault === "garbage" || fault === "html") socket.end("<html><body>502 Bad Gateway</body></html>\r\n");
    else if (fault === "empty") socket.end();
    else if (fault === "shape") socket.end("250 out of turn\r\n");
    else if (fault === "unauthorized") socket.end("535 5.7.8 Authentication credentials invalid\r\n");
    else if (fault === "too_many") socket.end("421 4.7.0 Too many connections from your address\r\n");
    else if (fault === "slow")
      setTimeout(() => {
        if (!socket.destroyed) smtp.connect(socket);
      }, slowAnswerMs);
    else smtp.connect(socket);
  });
  await new Promise<void>((resolve) => front.listen(options.port ?? 0, "127.0.0.1", resolve));

  return {
    url: `smtp://127.0.0.1:${(front.address() as AddressInfo).port}`,
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => front.close(resolve));
    },
    setFault(mode: FaultMode): void {
      fault = mode;
    },
    refuseWith(code: 451 | 550 | null): void {
      refusal = code;
    },
    refuseSender(isOn: boolean): void {
      refusesSender = isOn;
    },
    loseAnswers(isOn: boolean): void {
      losesAnswers = isOn;
    },
    /** The delivered letters, newest first. */
    messages: (to?: string): SimulatedLetter[] => inbox.filter((letter) => to === undefined || letter.to === to).reverse(),
  };
}

async function readAll(stream: SMTPServerDataStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("latin1");
}
