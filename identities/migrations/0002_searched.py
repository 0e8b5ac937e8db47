from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from identities.folding import folded

BATCH = 500


def fill(apps: Apps, _: BaseDatabaseSchemaEditor) -> None:
    """Folds what there is; names are few and short, so all of them in one transaction."""
    model = apps.get_model("identities", "Identity")
    rows = list(model.objects.only("id", "name", "external_id"))
    for row in rows:
        row.searched = folded(row.name, row.external_id)
    model.objects.bulk_update(rows, ["searched"], batch_size=BATCH)


class Migration(migrations.Migration):
    dependencies = [("identities", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="identity",
            name="searched",
            field=models.TextField(default="", editable=False, help_text="name and external id, folded"),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
