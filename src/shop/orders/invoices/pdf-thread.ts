import { answerJobs } from "#kit/concurrency/job-thread.ts";
import { invoicePdf } from "./invoice-pdf.ts";
import type { Invoice } from "./invoice.ts";

/** An invoice to print; `madeAt` is the time of its order. */
export type InvoiceJob = { invoice: Invoice; madeAt: Date };

answerJobs<InvoiceJob>(({ invoice, madeAt }) => invoicePdf(invoice, madeAt));
