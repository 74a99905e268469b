import { useSearchParams } from "react-router";
import { PageHead } from "../ui/page-head.tsx";
import { ViewTabs } from "../ui/table/view-tabs.tsx";
import { AccountingView } from "./accounting-view.tsx";
import { ExportView } from "./export-view.tsx";
import { ImportView } from "./import-view.tsx";

const views = [
  { id: "import", label: "Загрузить" },
  { id: "export", label: "Выгрузить" },
  { id: "1c", label: "1С" },
] as const;

/** Tables in, tables out, and the accounting system. */
export function Component() {
  const [params] = useSearchParams();
  const view = params.get("view");
  return (
    <>
      <PageHead title="Обмен" facts="таблицы, прайс-листы и 1С" />
      <ViewTabs label="Что сделать" views={views} />
      {view === "export" ? <ExportView /> : view === "1c" ? <AccountingView /> : <ImportView />}
    </>
  );
}
